#ifndef CSQLITE_WORDS_H
#define CSQLITE_WORDS_H

#include <sqlite3.h>

/// Gives the database the tokenizer "talon".
int tl_words_register(sqlite3 *database);

#endif
