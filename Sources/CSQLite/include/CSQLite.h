// SQLite, cut down to what a memory of one process needs. Results are SQLite's own codes, extended ones.
//
// It is compiled without locks between threads: at any time one thread of the process uses it.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdint.h>

enum {
    TL_SQLITE_OK = 0,
    TL_SQLITE_BUSY = 5,
    TL_SQLITE_NOMEM = 7,
    TL_SQLITE_READONLY = 8,
    TL_SQLITE_CORRUPT = 11,
    TL_SQLITE_FULL = 13,
    TL_SQLITE_CANTOPEN = 14,
    TL_SQLITE_NOTADB = 26,
    TL_SQLITE_ROW = 100,
    TL_SQLITE_DONE = 101,
};

/// An open database, and a statement of it.
typedef struct tl_sqlite tl_sqlite;
typedef struct tl_sqlite_statement tl_sqlite_statement;

/// Makes SQLite ready, once in a process. It never takes more than `heap` bytes: what would need more fails with TL_SQLITE_NOMEM.
int32_t tl_sqlite_start(int64_t heap);

/// Opens or creates (0600) the database at `path`, with the tokenizer "talon". Limits: `length` bytes of a value, no `ATTACH` by anybody but VACUUM, no
/// writing to its schema or to the tables of an index.
int32_t tl_sqlite_open(const char *path, int32_t length, tl_sqlite **database);

/// Closes a database whose statements have all been finalized. NULL is allowed.
void tl_sqlite_close(tl_sqlite *database);

/// Runs statements that have no parameters, and drops their rows.
int32_t tl_sqlite_run(tl_sqlite *database, const char *sql);

/// Prepares a statement that is used for long.
int32_t tl_sqlite_prepare(tl_sqlite *database, const char *sql, tl_sqlite_statement **statement);
void tl_sqlite_finalize(tl_sqlite_statement *statement);

/// TL_SQLITE_ROW, TL_SQLITE_DONE, or an error.
int32_t tl_sqlite_step(tl_sqlite_statement *statement);

/// Makes the statement ready for the next use, without values for its parameters.
void tl_sqlite_reset(tl_sqlite_statement *statement);

/// Give the parameter `index`, counted from 1, a value. Bytes must stay until `tl_sqlite_reset`.
int32_t tl_sqlite_bind_integer(tl_sqlite_statement *statement, int32_t index, int64_t value);
int32_t tl_sqlite_bind_text(tl_sqlite_statement *statement, int32_t index, const uint8_t *bytes, int32_t count);
int32_t tl_sqlite_bind_blob(tl_sqlite_statement *statement, int32_t index, const uint8_t *bytes, int32_t count);

/// The values of the row, columns counted from 0. Bytes are valid until the next step or reset; NULL where there are none.
int64_t tl_sqlite_integer(tl_sqlite_statement *statement, int32_t column);
double tl_sqlite_real(tl_sqlite_statement *statement, int32_t column);
const uint8_t *tl_sqlite_text(tl_sqlite_statement *statement, int32_t column, int32_t *count);
const uint8_t *tl_sqlite_blob(tl_sqlite_statement *statement, int32_t column, int32_t *count);

/// Rows that have been changed since the database was opened, those of the index included.
int32_t tl_sqlite_changes(tl_sqlite *database);

/// SQLite's sentence on the last failure; valid until the next call.
const char *tl_sqlite_message(tl_sqlite *database);
/// What a code means.
const char *tl_sqlite_code_text(int32_t code);
/// The kernel's number behind the last failure, or 0.
int32_t tl_sqlite_errno(tl_sqlite *database);

/// The most bytes of memory that SQLite has had at once.
int64_t tl_sqlite_memory_peak(void);

#endif
