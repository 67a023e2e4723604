// An input device that exists as long as this program runs, made by the kernel's uinput. For scenarios in a virtual machine.
//
//   uinput NAME WORD... < EVENTS
//
// A WORD is key=CODE, rel=CODE, abs=CODE,MINIMUM,MAXIMUM or prop=NUMBER, as linux/input-event-codes.h has them. Each line of
// EVENTS is TYPE CODE VALUE, or "sleep MILLISECONDS"; an empty one ends a report. At the end of EVENTS the device is gone.
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int device;

static void need(int result, const char *what) {
    if (result >= 0) return;
    perror(what);
    exit(1);
}

static void order(unsigned long request, int value) { need(ioctl(device, request, value), "uinput"); }

static void add(const char *word) {
    int code, minimum, maximum;
    if (sscanf(word, "key=%i", &code) == 1) {
        order(UI_SET_EVBIT, EV_KEY);
        order(UI_SET_KEYBIT, code);
    } else if (sscanf(word, "rel=%i", &code) == 1) {
        order(UI_SET_EVBIT, EV_REL);
        order(UI_SET_RELBIT, code);
    } else if (sscanf(word, "abs=%i,%i,%i", &code, &minimum, &maximum) == 3) {
        struct uinput_abs_setup axis = {.code = (unsigned short)code, .absinfo = {.minimum = minimum, .maximum = maximum}};
        order(UI_SET_EVBIT, EV_ABS);
        order(UI_SET_ABSBIT, code);
        need(ioctl(device, UI_ABS_SETUP, &axis), word);
    } else if (sscanf(word, "prop=%i", &code) == 1) {
        order(UI_SET_PROPBIT, code);
    } else {
        fprintf(stderr, "uinput: what is \"%s\"?\n", word);
        exit(64);
    }
}

int main(int count, char **words) {
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 1, .product = 1, .version = 1}};
    char line[100];
    if (count < 3) return 64;
    device = open("/dev/uinput", O_WRONLY);
    need(device, "/dev/uinput");
    for (int index = 2; index < count; index++) add(words[index]);
    strncpy(setup.name, words[1], sizeof setup.name - 1);
    need(ioctl(device, UI_DEV_SETUP, &setup), "set up");
    need(ioctl(device, UI_DEV_CREATE), "create");
    while (fgets(line, sizeof line, stdin)) {
        int type = EV_SYN, code = SYN_REPORT, value = 0, pause;
        if (sscanf(line, "sleep %d", &pause) == 1) {
            usleep((useconds_t)pause * 1000);
            continue;
        }
        sscanf(line, "%i %i %i", &type, &code, &value);
        struct input_event event = {.type = (unsigned short)type, .code = (unsigned short)code, .value = value};
        need((int)write(device, &event, sizeof event), "write");
    }
    return 0;
}
