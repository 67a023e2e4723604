#include "CI2C.h"

#include <CLinux.h>
#include <errno.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>

int64_t tl_i2c_abilities(int32_t fd) {
    unsigned long found = 0;
    int64_t result = tl_ioctl(fd, I2C_FUNCS, &found);
    if (result < 0) return result;
    int64_t abilities = 0;
    if (found & I2C_FUNC_I2C) abilities |= TL_I2C_COMBINED;
    if ((found & I2C_FUNC_SMBUS_BYTE_DATA) == I2C_FUNC_SMBUS_BYTE_DATA) abilities |= TL_I2C_BYTES;
    if (found & I2C_FUNC_SMBUS_READ_I2C_BLOCK) abilities |= TL_I2C_BLOCKS;
    return abilities;
}

// The kernel takes the address itself where others take a pointer.
int64_t tl_i2c_select(int32_t fd, uint8_t address) { return tl_ioctl(fd, I2C_SLAVE, (void *)(uintptr_t)address); }

int64_t tl_i2c_read(int32_t fd, uint8_t address, uint8_t reg, uint8_t *bytes, uint16_t count) {
    struct i2c_msg messages[] = {{.addr = address, .len = 1, .buf = &reg},
                                 {.addr = address, .flags = I2C_M_RD, .len = count, .buf = bytes}};
    struct i2c_rdwr_ioctl_data all = {messages, 2};
    int64_t result = tl_ioctl(fd, I2C_RDWR, &all);
    return result < 0 ? result : result == 2 ? count : -EIO;
}

int64_t tl_i2c_write(int32_t fd, uint8_t address, uint8_t reg, uint8_t value) {
    uint8_t bytes[] = {reg, value};
    struct i2c_msg message = {.addr = address, .len = sizeof bytes, .buf = bytes};
    struct i2c_rdwr_ioctl_data all = {&message, 1};
    int64_t result = tl_ioctl(fd, I2C_RDWR, &all);
    return result < 0 ? result : result == 1 ? 0 : -EIO;
}

// MARK: libi2c makes its ioctls itself; they pass the door all the same

typedef struct {
    int32_t fd;
    uint8_t reg, count, value, *bytes;
} smbus_call;

// libi2c answers as the kernel does; the door expects what the C library answers.
static int64_t told(int32_t result) {
    if (result >= 0) return result;
    errno = -result;
    return -1;
}

static int64_t read_block(void *context) {
    const smbus_call *call = context;
    return told(i2c_smbus_read_i2c_block_data(call->fd, call->reg, call->count, call->bytes));
}

static int64_t read_byte(void *context) {
    const smbus_call *call = context;
    return told(i2c_smbus_read_byte_data(call->fd, call->reg));
}

static int64_t write_byte(void *context) {
    const smbus_call *call = context;
    return told(i2c_smbus_write_byte_data(call->fd, call->reg, call->value));
}

int64_t tl_smbus_read(int32_t fd, uint8_t reg, uint8_t *bytes, uint8_t count) {
    smbus_call call = {.fd = fd, .reg = reg, .count = count, .bytes = bytes};
    return tl_ioctl_of_library(fd, read_block, &call);
}

int64_t tl_smbus_read_byte(int32_t fd, uint8_t reg) {
    smbus_call call = {.fd = fd, .reg = reg};
    return tl_ioctl_of_library(fd, read_byte, &call);
}

int64_t tl_smbus_write(int32_t fd, uint8_t reg, uint8_t value) {
    smbus_call call = {.fd = fd, .reg = reg, .value = value};
    return tl_ioctl_of_library(fd, write_byte, &call);
}
