/* A machine that fails on command, for a program that is loaded after this (LD_PRELOAD).
 *
 * The file that FAULTS_FILE names says what is wrong, and may change while the program runs:
 *   full        writes to the database's files fail for want of space
 *   readonly    the database's files can't be opened for writing
 *   clock N     the wall clock is N seconds off
 * Anything else, or no file: nothing is wrong.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_clock)(clockid_t, struct timespec *);

static void begin(void)
{
    real_open = dlsym(RTLD_NEXT, "open64");
    real_clock = dlsym(RTLD_NEXT, "clock_gettime");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    if (!real_open || !real_clock || !real_pwrite)
        abort();
}

/* What is wrong now. */
static void fault(char words[64])
{
    const char *path = getenv("FAULTS_FILE");
    ssize_t length = -1;
    int file;

    words[0] = 0;
    if (!path)
        return;
    file = real_open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    length = read(file, words, 63);
    close(file);
    words[length < 0 ? 0 : length] = 0;
}

static int of_database(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".db") || !strcmp(dot, ".db-wal") || !strcmp(dot, ".db-journal"));
}

static int is_database(int fd)
{
    char link[64], path[4096];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return of_database(path);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    char words[64];

    if (!real_pwrite)
        begin();
    if (is_database(fd)) {
        fault(words);
        if (!strncmp(words, "full", 4)) {
            errno = ENOSPC;
            return -1;
        }
    }
    return real_pwrite(fd, data, length, offset);
}

static int open_file(const char *path, int flags, mode_t mode)
{
    char words[64];

    if (!real_open)
        begin();
    if ((flags & O_ACCMODE) != O_RDONLY && of_database(path)) {
        fault(words);
        if (!strncmp(words, "readonly", 8)) {
            errno = EROFS;
            return -1;
        }
    }
    return real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    mode_t mode;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    mode_t mode;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags, mode);
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    char words[64];
    int done;

    if (!real_clock)
        begin();
    done = real_clock(which, now);
    if (!done && which == CLOCK_REALTIME) {
        fault(words);
        if (!strncmp(words, "clock ", 6))
            now->tv_sec += atol(words + 6);
    }
    return done;
}
