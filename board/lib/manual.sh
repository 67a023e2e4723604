# shellcheck shell=bash
# Manual pages and completions, made of what the program says of itself and of the commented configuration, so that
# they are never of another release.

# manual_of_program TALON...: talon(1) of the program that these words run. In the environment: version, day.
manual_of_program() {
  local command
  printf '.TH TALON 1 "%s" "Talon %s" "Talon"\n' "$day" "$version"
  printf '.SH NAME\n%s\n' "$("$@" --help | sed -n '1s/: / \\- /p')"
  printf '.SH SYNOPSIS\n.B talon\n.I COMMAND\n[\\fIOPTION\\fR...]\n'
  cat <<'TEXT'
.SH DESCRIPTION
Talon connects this board to an OpenClaw gateway as a node: it answers the commands of the gateway's agent, with
the board's camera, its position, its motion and its state.
.B talon run
is the service; the other commands are for people at the board.
.SH COMMANDS
TEXT
  for command in $(commands_of "$@"); do "$@" "$command" --help | man_section; done
  printf '.SH "EXIT STATUS"\nThe numbers are those of\n.BR sysexits.h (3).\n'
  awk '/^  \/\/\// { text = $0; sub(/^ *\/\/\/ /, "", text) }
       /^  case / { printf ".TP\n.B %s\n%s\n", $NF, (text == "" ? "All is well." : text); text = "" }' \
    "$root/Sources/talon/ExitCode.swift"
  cat <<'TEXT'
.SH FILES
.TP
.I /etc/talon/talon.conf
The configuration; see
.BR talon.conf (5).
.TP
.I /var/lib/talon
Identity, trusted certificates, tokens, and what waits for the gateway.
.TP
.I /run/talon/control
Where the running agent listens to the other commands.
.SH "SEE ALSO"
.BR talon.conf (5),
.BR systemctl (1),
.BR journalctl (1)
TEXT
}

# commands_of TALON...: the commands that the program lists, each once.
commands_of() { "$@" --help | awk '$1 == "talon" && $2 ~ /^[a-z]/ && !seen[$2]++ { print $2 }'; }

# What one command says of itself: the lines of its synopsis, an empty line, paragraphs.
man_section() {
  awk '
    function escaped(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      if (text ~ /^[.'"'"']/) text = "\\&" text
      return text
    }
    NR == 1 { printf ".SS talon %s\n.nf\n", $2 }
    !body && NF { printf "\\fB%s\\fR\n", escaped($0); next }
    !body { body = 1; print ".fi\n.PP"; next }
    !NF { print ".PP"; next }
    # Begins what stands apart: an option, a word of the command, what the codes mean.
    /^(--[a-z]+|[a-z]+:|Exit code:)/ { print ".br" }
    { print escaped($0) }
  '
}

# manual_of_configuration FILE: talon.conf(5).
manual_of_configuration() {
  printf '.TH TALON.CONF 5 "%s" "Talon %s" "Talon"\n' "$day" "$version"
  printf '.SH NAME\ntalon.conf \\- configuration of talon\n.SH SYNOPSIS\n.I /etc/talon/talon.conf\n.SH DESCRIPTION\n'
  awk '
    function escaped(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      if (text ~ /^[.'"'"']/) text = "\\&" text
      return text
    }
    function tell() { if (told != "") printf "%s", told; told = "" }
    /^# / { told = told escaped(substr($0, 3)) "\n"; next }
    /^#?\[/ {
      sub(/^#/, "")
      sections++
      if (sections == 1) { tell(); print ".SH OPTIONS" }
      printf ".SS %s\n", escaped($0)
      tell()
      next
    }
    / = / {
      sub(/^#/, "")
      if (told == "") { printf ".TQ\n.B %s\n%s", escaped($0), last; next }
      printf ".TP\n.B %s\n", escaped($0)
      tell()
      next
    }
    !NF && told != "" { tell(); print ".PP" }
  ' "$1" | merge_keys
  printf '.SH "SEE ALSO"\n.BR talon (1)\n'
}

# Keys that share a description stand before it, not after.
merge_keys() {
  awk '
    function flush() { if (heads != "") printf "%s%s", heads, text; heads = text = "" }
    $0 == ".TP" { flush(); heads = ".TP\n"; getline; heads = heads $0 "\n"; next }
    $0 == ".TQ" { getline line; heads = heads ".TQ\n" line "\n"; next }
    /^\.(SS|SH|PP)/ { flush(); print; next }
    heads != "" { text = text $0 "\n"; next }
    { print }
    END { flush() }
  '
}

# completion_for_bash: the program says what may follow the words that are there.
completion_for_bash() {
  cat <<'SCRIPT'
# bash completion of talon
_talon() {
  local word=${COMP_WORDS[COMP_CWORD]}
  case ${COMP_WORDS[COMP_CWORD - 1]} in --config | --out | --folder) COMPREPLY=($(compgen -f -- "$word")); return ;; esac
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completion "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2> /dev/null)" -- "$word"))
}
complete -F _talon talon
SCRIPT
}

# completion_for_zsh
completion_for_zsh() {
  cat <<'SCRIPT'
#compdef talon
local -a choices
case $words[CURRENT-1] in --config|--out|--folder) _files; return ;; esac
choices=(${(f)"$($words[1] completion ${words[2,CURRENT-1]} 2> /dev/null)"})
compadd -a choices
SCRIPT
}
