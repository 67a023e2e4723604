// Registers of chips on an I2C bus, through the kernel's i2c-dev (kernel: i2c/dev-interface). Combined transactions are
// ioctls of our own; what an adapter that knows only SMBus can do goes through libi2c 4.3. Results are zero or more, or a
// negated errno, as in tl_calls.h.

#ifndef CI2C_H
#define CI2C_H

#include <stdint.h>

/// What an adapter can do, of I2C_FUNCS.
#define TL_I2C_COMBINED 1
#define TL_I2C_BYTES 2
#define TL_I2C_BLOCKS 4
/// The sum of the above.
int64_t tl_i2c_abilities(int32_t fd);

/// Speaks to the chip at `address` from now on; -EBUSY when a driver of the kernel has it.
int64_t tl_i2c_select(int32_t fd, uint8_t address);

/// Writes the number of a register, and reads from there on after a repeated start (I2C_RDWR).
int64_t tl_i2c_read(int32_t fd, uint8_t address, uint8_t reg, uint8_t *bytes, uint16_t count);
int64_t tl_i2c_write(int32_t fd, uint8_t address, uint8_t reg, uint8_t value);

/// The same with SMBus's calls, of the chip that is selected. At most 32 bytes: how many were read.
#define TL_SMBUS_BLOCK 32
int64_t tl_smbus_read(int32_t fd, uint8_t reg, uint8_t *bytes, uint8_t count);
/// One register: its value.
int64_t tl_smbus_read_byte(int32_t fd, uint8_t reg);
int64_t tl_smbus_write(int32_t fd, uint8_t reg, uint8_t value);

#endif
