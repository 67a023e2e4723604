#include "CSQLite.h"

#include <stdlib.h>

#include <sqlite3.h>

#include "words.h"

_Static_assert(
    TL_SQLITE_OK == SQLITE_OK && TL_SQLITE_BUSY == SQLITE_BUSY && TL_SQLITE_NOMEM == SQLITE_NOMEM && TL_SQLITE_READONLY == SQLITE_READONLY
        && TL_SQLITE_CORRUPT == SQLITE_CORRUPT && TL_SQLITE_FULL == SQLITE_FULL && TL_SQLITE_CANTOPEN == SQLITE_CANTOPEN
        && TL_SQLITE_NOTADB == SQLITE_NOTADB && TL_SQLITE_ROW == SQLITE_ROW && TL_SQLITE_DONE == SQLITE_DONE,
    "SQLite's numbers");

static sqlite3 *database_of(tl_sqlite *database) { return (sqlite3 *)database; }

static sqlite3_stmt *statement_of(tl_sqlite_statement *statement) { return (sqlite3_stmt *)statement; }

int32_t tl_sqlite_start(int64_t heap) {
    int result = sqlite3_initialize();
    if (result == SQLITE_OK) sqlite3_hard_heap_limit64(heap);
    return result;
}

// What a file may make SQLite do is bounded: its own statements have few parts, and nobody else's are run.
static void limit(sqlite3 *database, int32_t length) {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, length);
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 4096);
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 32);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 32);
    sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 8);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 25000);
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64);
    sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, 32);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

int32_t tl_sqlite_open(const char *path, int32_t length, tl_sqlite **database) {
    sqlite3 *opened = NULL;
    *database = NULL;
    int result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, NULL);
    if (result == SQLITE_OK) {
        limit(opened, length);
        result = tl_words_register(opened);
    }
    if (result != SQLITE_OK) {
        sqlite3_close(opened);
        return result;
    }
    *database = (tl_sqlite *)opened;
    return SQLITE_OK;
}

void tl_sqlite_close(tl_sqlite *database) { sqlite3_close_v2(database_of(database)); }

int32_t tl_sqlite_run(tl_sqlite *database, const char *sql) { return sqlite3_exec(database_of(database), sql, NULL, NULL, NULL); }

int32_t tl_sqlite_prepare(tl_sqlite *database, const char *sql, tl_sqlite_statement **statement) {
    return sqlite3_prepare_v3(database_of(database), sql, -1, SQLITE_PREPARE_PERSISTENT, (sqlite3_stmt **)statement, NULL);
}

void tl_sqlite_finalize(tl_sqlite_statement *statement) { sqlite3_finalize(statement_of(statement)); }

int32_t tl_sqlite_step(tl_sqlite_statement *statement) { return sqlite3_step(statement_of(statement)); }

void tl_sqlite_reset(tl_sqlite_statement *statement) {
    sqlite3_reset(statement_of(statement));
    sqlite3_clear_bindings(statement_of(statement));
}

int32_t tl_sqlite_bind_integer(tl_sqlite_statement *statement, int32_t index, int64_t value) {
    return sqlite3_bind_int64(statement_of(statement), index, value);
}

int32_t tl_sqlite_bind_text(tl_sqlite_statement *statement, int32_t index, const uint8_t *bytes, int32_t count) {
    return sqlite3_bind_text(statement_of(statement), index, bytes == NULL ? "" : (const char *)bytes, count, SQLITE_STATIC);
}

int32_t tl_sqlite_bind_blob(tl_sqlite_statement *statement, int32_t index, const uint8_t *bytes, int32_t count) {
    return sqlite3_bind_blob(statement_of(statement), index, bytes == NULL ? (const uint8_t *)"" : bytes, count, SQLITE_STATIC);
}

int64_t tl_sqlite_integer(tl_sqlite_statement *statement, int32_t column) { return sqlite3_column_int64(statement_of(statement), column); }

double tl_sqlite_real(tl_sqlite_statement *statement, int32_t column) { return sqlite3_column_double(statement_of(statement), column); }

const uint8_t *tl_sqlite_text(tl_sqlite_statement *statement, int32_t column, int32_t *count) {
    // In this order: the first call may change the length.
    const uint8_t *bytes = sqlite3_column_text(statement_of(statement), column);
    *count = bytes == NULL ? 0 : sqlite3_column_bytes(statement_of(statement), column);
    return bytes;
}

const uint8_t *tl_sqlite_blob(tl_sqlite_statement *statement, int32_t column, int32_t *count) {
    const uint8_t *bytes = sqlite3_column_blob(statement_of(statement), column);
    *count = bytes == NULL ? 0 : sqlite3_column_bytes(statement_of(statement), column);
    return bytes;
}

int32_t tl_sqlite_changes(tl_sqlite *database) { return sqlite3_total_changes(database_of(database)); }

const char *tl_sqlite_message(tl_sqlite *database) { return sqlite3_errmsg(database_of(database)); }

const char *tl_sqlite_code_text(int32_t code) { return sqlite3_errstr(code); }

int32_t tl_sqlite_errno(tl_sqlite *database) { return sqlite3_system_errno(database_of(database)); }

int64_t tl_sqlite_memory_peak(void) { return sqlite3_memory_highwater(0); }
