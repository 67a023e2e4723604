// For tests: what a confined process may do, tried in a process of its own.

#ifndef CONFINED_TRIAL_H
#define CONFINED_TRIAL_H

#include <stdint.h>

/// How many system calls are tried that no confined process may make, and their names.
int32_t confined_trial_count(void);
const char *confined_trial_name(int32_t trial);

/// Confines a child to `work` (TL_CONFINED_TO_...) and has it make the call: 0 when it lived on, or 1000 and the number of the signal that ended it;
/// 2000 when it could not be confined.
int32_t confined_trial(int32_t trial, int32_t work);

/// Has a child that is confined to `work` with `data_bytes` do all that decoding takes, and then ask for more memory than that: 0 when the
/// former was granted and the latter was not.
int32_t confined_trial_work(int32_t work, int64_t data_bytes);

/// Has a child that may have a second of the processor burn a minute of it: 2 when it lived on, or 1000 and the number of the signal that
/// ended it.
int32_t confined_trial_burn(void);

/// Has a child that may read and write echo a byte, and set a timer, which interrupts it: 0 when all of it went well.
int32_t confined_trial_talk(void);

#endif
