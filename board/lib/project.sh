# shellcheck shell=bash
# Where the project lives: board/project, or the repository whose workflow runs. Sourced after common.sh, never run.

project_file=$root/board/project

# project_value KEY: what board/project says; nothing while it is not decided.
project_value() { sed -n "s/^$1=//p" "$project_file"; }

# is_address TEXT: one that can stand in a script, a list or a sentence as it is.
is_address() { [[ $1 =~ ^https?://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~-]+)*$ ]]; }

# checked WHERE ADDRESS
checked() {
  [[ ! $2 ]] || is_address "$2" || die "$1: '$2' is no address such as https://example.org/talon (without a slash at its end)"
  echo "$2"
}

# repository_address: of board/project, else of the workflow that runs, else nothing.
repository_address() {
  local said
  said=$(checked "${project_file##*/}" "$(project_value repository)") || exit 1
  [[ $said || ! ${GITHUB_REPOSITORY-} ]] || said=$(checked GITHUB_REPOSITORY "${GITHUB_SERVER_URL-https://github.com}/$GITHUB_REPOSITORY") || exit 1
  echo "$said"
}

# pages_address: of board/project, else where GitHub puts the pages of a repository of its own, else nothing.
pages_address() {
  local said owner
  said=$(checked "${project_file##*/}" "$(project_value pages)") || exit 1
  if [[ ! $said && ${GITHUB_REPOSITORY-} && ${GITHUB_SERVER_URL-https://github.com} == https://github.com ]]; then
    owner=${GITHUB_REPOSITORY%%/*}
    said=$(checked GITHUB_REPOSITORY "https://${owner,,}.github.io/${GITHUB_REPOSITORY#*/}") || exit 1
  fi
  echo "$said"
}

# releases_in_words: what documents say; by board/project alone, so that they are the same in each copy.
releases_in_words() {
  local said
  said=$(checked "${project_file##*/}" "$(project_value repository)") || exit 1
  if [[ $said ]]; then echo "[the releases of Talon]($said/releases)"; else echo "the releases of this repository"; fi
}

# write_words FILE...: what stands between <!-- releases --> and <!-- end --> on a line of theirs becomes those words.
write_words() {
  local words
  words=$(releases_in_words)
  sed -i "s|<!-- releases -->.*<!-- end -->|<!-- releases -->$words<!-- end -->|" "$@"
}
