// Which build a firmware is. The linker takes this in place of the weak one of Sources/CLinux/board.c; board/firmware compiles it for each link.
const char *tl_build_name(void);
const char *tl_build_name(void) { return TALON_BUILD; }
