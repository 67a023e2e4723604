// SQLite, whose sources are fetched by board/prepare, with the choices below.

// The parts of the language that its parser was made without.
#include <parts.h>

// One thread at a time. Locks would cost time at every call.
#define SQLITE_THREADSAFE 0

// The limit of its memory (tl_sqlite_start) holds only where memory is counted.
#define SQLITE_DEFAULT_MEMSTATUS 1
#define SQLITE_DEFAULT_LOOKASIDE 256, 64
#define SQLITE_DEFAULT_CACHE_SIZE (-512)
#define SQLITE_DEFAULT_PCACHE_INITSZ 0
#define SQLITE_MAX_MMAP_SIZE 0

// Words, and nothing else that can be asked for by SQL.
#define SQLITE_ENABLE_FTS5 1
#define SQLITE_OMIT_JSON 1
#define SQLITE_OMIT_DATETIME_FUNCS 1
#define SQLITE_OMIT_LOCALTIME 1
#define SQLITE_OMIT_LOAD_EXTENSION 1
#define SQLITE_OMIT_AUTHORIZATION 1
#define SQLITE_OMIT_AUTOINIT 1
#define SQLITE_OMIT_COMPILEOPTION_DIAGS 1
#define SQLITE_OMIT_COMPLETE 1
#define SQLITE_OMIT_DECLTYPE 1
#define SQLITE_OMIT_DEPRECATED 1
#define SQLITE_OMIT_DESERIALIZE 1
#define SQLITE_OMIT_GET_TABLE 1
#define SQLITE_OMIT_PROGRESS_CALLBACK 1
#define SQLITE_OMIT_SHARED_CACHE 1
#define SQLITE_OMIT_TCL_VARIABLE 1
#define SQLITE_OMIT_TRACE 1
#define SQLITE_OMIT_UTF16 1
#define SQLITE_UNTESTABLE 1

// A file from elsewhere must not be able to do anything. VACUUM INTO attaches the file that it writes, so that there has to be room for one.
#define SQLITE_DQS 0
#define SQLITE_TRUSTED_SCHEMA 0
#define SQLITE_USE_URI 0
#define SQLITE_MAX_ATTACHED 1

// Nothing of a memory is ever in a file of another folder, or readable by others.
#define SQLITE_TEMP_STORE 3
#define SQLITE_DEFAULT_FILE_PERMISSIONS 0600
#define SQLITE_SECURE_DELETE 1

// A commit is on flash when it returns (SQLiteMemory says why it is a WAL).
#define SQLITE_DEFAULT_SYNCHRONOUS 2
#define SQLITE_DEFAULT_WAL_SYNCHRONOUS 2

#include <sqlite3.c>
