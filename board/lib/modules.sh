# shellcheck shell=bash
# The modules of the program, for scripts that call the compiler without SwiftPM. Sourced after common.sh, never run.

c_modules=(CLinux COpenSSL CTurboJPEG CCares COpenH264 CV4LConvert CI2C CGPIO CZlib CFreeType CFriBidi CHarfBuzz CUnicode CPNG CWebP CQRCode CQuirc CSQLite CFonts CQuickJS CALSA CFlite CPocketSphinx CSpeexDSP COpus CVoiceModel CLocales)
# Each after what it imports.
swift_modules=(Codec Runtime Camera Location Motion Sound Talk Device Panel Hands Programs MCP Terminal Locales A2UI Graphics Canvas Script Voice Enrolment Gateway Updates Consent Metrics Fetch Completion OwnAgent Node CameraPart SensePart HandsPart ToolsPart UpdatePart ConsentPart FilesPart MetricsPart VoicePart ScreenPart RunPart MCPPart OwnAgentPart Agent Board Simulated talon)
swift_flags=(-swift-version 6 -wmo -parse-as-library -package-name talon -enable-testing -enable-experimental-feature Lifetimes)

# module_files FOLDER: the Swift files of a module of the whole program; those of other builds take the place of some.
module_files() { find "$1" -name '*.swift' -not -path '*/Lean/*' -not -path '*/NoScripts/*' | sort; }

# map_c_modules FOLDER: leaves in c_flags how Swift finds them; in the folder what SwiftPM makes up for one without a module map.
map_c_modules() {
  local name map
  c_flags=()
  for name in "${c_modules[@]}"; do
    map=$root/Sources/$name/include/module.modulemap
    if [[ ! -f $map ]]; then
      map=$1/$name.modulemap
      printf 'module %s { umbrella "%s" export * }\n' "$name" "$root/Sources/$name/include" > "$map"
    fi
    c_flags+=(-Xcc "-fmodule-map-file=$map" -Xcc "-I$root/Sources/$name/include")
  done
}
