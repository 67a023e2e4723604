// c-ares, and two small functions for what Swift cannot reach in its structures.

#ifndef CCARES_H
#define CCARES_H

#include <ares.h>
#include <stdint.h>

/// A channel that reports its sockets through `changed`, reads the system's resolver configuration afresh,
/// and whose sockets are opened and used through the system call door. `lookups` says who is asked, as in
/// ares_init_options(3): "f" for the hosts file, "b" for the name servers, null for what the system says. Null on
/// failure.
ares_channel tl_ares_channel(ares_sock_state_cb changed, void *context, const char *lookups);

/// Asks for the IPv4 and IPv6 addresses of `name`.
void tl_ares_ask(ares_channel channel, const char *name, ares_addrinfo_callback answer, void *context);

/// Copies one address (4 or 16 bytes) and its scope; answers the byte count, or 0 for another family.
int32_t tl_ares_address(const struct ares_addrinfo_node *node, uint8_t address[16], uint32_t *scope);

/// Milliseconds until the channel wants attention, or -1.
int64_t tl_ares_timeout(ares_channel channel);

#endif
