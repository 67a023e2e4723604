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

# words_of COMMAND TALON...: the second words and the options that a command takes.
words_of() {
  local command=$1; shift
  "$@" "$command" --help | awk -v command="$command" '
    $1 == "talon" && $2 == command && $3 ~ /^[a-z|]+$/ { count = split($3, words, "|"); for (i = 1; i <= count; i++) print words[i] }
    NF && $1 == "talon" { while (match($0, /--[a-z]+/)) { print substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) } }
  ' | sort -u | paste -sd ' '
}

# completion_for_bash TALON...
completion_for_bash() {
  local command
  echo '# bash completion of talon'
  echo '_talon() {'
  echo '  local word=${COMP_WORDS[COMP_CWORD]} words='
  echo '  case ${COMP_WORDS[COMP_CWORD - 1]} in --config | --out | --folder) COMPREPLY=($(compgen -f -- "$word")); return ;; esac'
  echo '  if (( COMP_CWORD == 1 )); then'
  printf '    words="%s"\n' "$(commands_of "$@" | paste -sd ' ') --help"
  echo '  else'
  echo '    case ${COMP_WORDS[1]} in'
  for command in $(commands_of "$@"); do printf '      %s) words="%s" ;;\n' "$command" "$(words_of "$command" "$@") --help"; done
  echo '    esac'
  echo '  fi'
  echo '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
  echo '}'
  echo 'complete -F _talon talon'
}

# completion_for_zsh TALON...
completion_for_zsh() {
  local command
  echo '#compdef talon'
  printf 'local -a words\ncase $words[CURRENT-1] in --config|--out) _files; return ;; esac\n' | sed 's/local -a words/local -a choices/'
  printf 'if (( CURRENT == 2 )); then\n  choices=(%s --help)\nelse\n  case $words[2] in\n' "$(commands_of "$@" | paste -sd ' ')"
  for command in $(commands_of "$@"); do printf '    %s) choices=(%s --help) ;;\n' "$command" "$(words_of "$command" "$@")"; done
  printf '  esac\nfi\ncompadd -a choices\n'
}
