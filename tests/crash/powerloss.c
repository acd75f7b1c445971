/* What a program writes to its database's files, and what of it it has synced.
 *
 * Loaded before the C library (LD_PRELOAD), this stands between SQLite and the files whose names
 * end in .db, .db-wal or .db-journal. Each write, truncation, removal and sync is appended, in
 * order, to the file that POWERLOSS_LOG names; tests/crash/disk.rs reads it and works out what a
 * disk would hold after its power was cut. Nothing is really synced: the log outlives the
 * process, and it alone says what the disk had.
 *
 * Record: kind, length of the name, offset, length of the data (four 64-bit integers in the
 * machine's own order), the name without its directory, the data. An operation is in the log
 * before it is done, and a sync before the program is told that it is. A sync takes as long as a
 * slow disk's, so that the power also fails while one is waited for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, REMOVE = 3, SYNC = 4 };

/* Microseconds. */
enum { SYNC_TAKES = 3000 };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_unlink)(const char *);

static void fail(const char *why)
{
    fprintf(stderr, "powerloss: %s\n", why);
    abort();
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("POWERLOSS_LOG");

    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    if (!path || !real_write || !real_pwrite || !real_fsync || !real_ftruncate || !real_unlink)
        fail("it can't begin");
    journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (journal < 0)
        fail("POWERLOSS_LOG can't be opened");
}

static int ends_in(const char *text, const char *end)
{
    size_t whole = strlen(text), part = strlen(end);
    return whole >= part && !strcmp(text + whole - part, end);
}

/* The name of a file of the database, without its directory; none for other files. */
static const char *known(const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (ends_in(name, ".db") || ends_in(name, ".db-wal") || ends_in(name, ".db-journal"))
        return name;
    return NULL;
}

/* The same for a descriptor; `path` is where it is put. */
static const char *opened(int fd, char path[4096])
{
    char link[64];
    ssize_t length;

    if (journal < 0 || fd == journal)
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, 4095);
    if (length <= 0)
        return NULL;
    path[length] = 0;
    return known(path);
}

static void note(uint64_t kind, const char *name, uint64_t offset, const void *data, size_t length)
{
    uint64_t head[4] = {kind, strlen(name), offset, length};
    struct iovec parts[3] = {{head, sizeof head},
                             {(void *)name, strlen(name)},
                             {(void *)data, length}};
    ssize_t size = (ssize_t)(sizeof head + strlen(name) + length);

    if (writev(journal, parts, 3) != size)
        fail("the log can't be written");
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    char path[4096];
    const char *name = opened(fd, path);
    ssize_t done;

    if (!name)
        return real_pwrite(fd, data, length, offset);
    pthread_mutex_lock(&order);
    note(WRITE, name, (uint64_t)offset, data, length);
    done = real_pwrite(fd, data, length, offset);
    if (done != (ssize_t)length)
        fail("a write was cut short");
    pthread_mutex_unlock(&order);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset)
{
    return pwrite64(fd, data, length, offset);
}

ssize_t write(int fd, const void *data, size_t length)
{
    char path[4096];

    if (!real_write)
        begin();
    if (fd > 2 && opened(fd, path))
        fail("SQLite is known to write at offsets only");
    return real_write(fd, data, length);
}

int ftruncate64(int fd, off64_t length)
{
    char path[4096];
    const char *name = opened(fd, path);
    int done;

    if (!name)
        return real_ftruncate(fd, length);
    pthread_mutex_lock(&order);
    note(TRUNCATE, name, (uint64_t)length, NULL, 0);
    done = real_ftruncate(fd, length);
    if (done)
        fail("a truncation failed");
    pthread_mutex_unlock(&order);
    return done;
}

int ftruncate(int fd, off_t length)
{
    return ftruncate64(fd, length);
}

int unlink(const char *path)
{
    const char *name = known(path);
    int done;

    if (!name || access(path, F_OK))
        return real_unlink(path);
    pthread_mutex_lock(&order);
    note(REMOVE, name, 0, NULL, 0);
    done = real_unlink(path);
    pthread_mutex_unlock(&order);
    return done;
}

/* A directory is synced for the names in it: the empty name stands for all of them. */
static int sync_of(int fd)
{
    char path[4096];
    struct stat found;
    const char *name = opened(fd, path);

    if (!name && journal >= 0 && !fstat(fd, &found) && S_ISDIR(found.st_mode))
        name = "";
    if (!name)
        return real_fsync(fd);
    usleep(SYNC_TAKES);
    pthread_mutex_lock(&order);
    note(SYNC, name, 0, NULL, 0);
    pthread_mutex_unlock(&order);
    return 0;
}

int fsync(int fd)
{
    return sync_of(fd);
}

int fdatasync(int fd)
{
    return sync_of(fd);
}
