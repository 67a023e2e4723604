// In firmware these stand for two parts of the C library and of libv4lconvert.

#ifdef TALON_FIRMWARE

#include <pwd.h>
#include <stddef.h>
#include <sys/types.h>

// The name of the user is asked for as part of the name of a memory segment. The C library would load shared objects
// that know users, and a board need not have any.
int getpwuid_r(uid_t user, struct passwd *entry, char *bytes, size_t count, struct passwd **result) {
    (void)bytes, (void)count;
    *entry = (struct passwd){.pw_name = "talon", .pw_uid = user};
    *result = entry;
    return 0;
}

// Two formats are decoded by programs of their own, under the GPL, in processes that would be forked off this one.
// They are never asked for.
int v4lconvert_helper_decompress(void) { return -1; }
void v4lconvert_helper_cleanup(void) {}

#endif
