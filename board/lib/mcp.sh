# shellcheck shell=bash
# MCP servers that share no code with Talon: the official package `mcp` and `fastmcp` (PyPI) in an environment of their own. Sourced after
# common.sh, never run.

mcp_root=$out/mcp-servers
# Waits between attempts to fetch them.
mcp_waits=(0 2 5)

# Leaves an interpreter with both in mcp_python; pip takes no wheel but those of mcp_servers.txt, with these hashes.
prepare_mcp_servers() {
  local wait wanted=$root/board/peers/mcp_servers.txt
  mcp_python=$mcp_root/bin/python
  cmp -s "$mcp_root/wanted" "$wanted" && return 0
  rm -rf "$mcp_root"
  mkdir -p "$mcp_root"
  /usr/bin/python3 -m venv --without-pip "$mcp_root"
  for wait in "${mcp_waits[@]}"; do
    sleep "$wait"
    if /usr/bin/python3 -m pip --python "$mcp_python" install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
      --only-binary :all: --require-hashes -r "$wanted" > "$mcp_root/log" 2>&1; then
      cp "$wanted" "$mcp_root/wanted"
      return 0
    fi
  done
  die "cannot fetch MCP servers: $(tail -1 "$mcp_root/log")"
}
