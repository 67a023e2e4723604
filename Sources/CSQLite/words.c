// The tokenizer "talon": SQLite's own unicode61 (words in lower case and without diacritics), and of what it takes for one word each character of a
// script that is written without spaces as a word of its own. A phrase of such characters then finds them in the middle of a sentence. SQLite's
// "trigram" would too, but not two of them, which most Chinese words are, and its index is larger than the text.
// (https://www.sqlite.org/fts5.html, 4.3 and 7)

#include "words.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// As `MemoryScalars.isIdeographic` in Sources/OwnAgent/Memory has it.
static bool stands_alone(uint32_t scalar) {
    return (scalar >= 0x0E00 && scalar <= 0x0EFF) || (scalar >= 0x1000 && scalar <= 0x109F) || (scalar >= 0x1780 && scalar <= 0x17FF)
        || (scalar >= 0x3040 && scalar <= 0x30FF) || (scalar >= 0x3400 && scalar <= 0x9FFF) || (scalar >= 0xAC00 && scalar <= 0xD7AF)
        || (scalar >= 0xF900 && scalar <= 0xFAFF) || (scalar >= 0x20000 && scalar <= 0x3FFFF);
}

// The character at `text`, of which `left` bytes are left: how many bytes it takes. A byte that is none begins no character that stands alone.
static int next_scalar(const uint8_t *text, int left, uint32_t *scalar) {
    int count = text[0] < 0xC0 ? 1 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    *scalar = 0;
    if (count == 1 || count > left) return 1;
    uint32_t value = text[0] & (0x7F >> count);
    for (int index = 1; index < count; index++) {
        if ((text[index] & 0xC0) != 0x80) return 1;
        value = value << 6 | (text[index] & 0x3F);
    }
    *scalar = value;
    return count;
}

typedef int token_call(void *context, int flags, const char *token, int count, int start, int end);

struct receiver {
    void *context;
    token_call *call;
};

static int take(void *context, int flags, const char *token, int count, int start, int end) {
    const struct receiver *receiver = context;
    const uint8_t *text = (const uint8_t *)token;
    int begin = 0, place = 0;
    while (place < count) {
        uint32_t scalar;
        int length = next_scalar(text + place, count - place, &scalar);
        if (stands_alone(scalar)) {
            int result = SQLITE_OK;
            if (place > begin) result = receiver->call(receiver->context, flags, token + begin, place - begin, start, end);
            if (result == SQLITE_OK) result = receiver->call(receiver->context, flags, token + place, length, start, end);
            if (result != SQLITE_OK) return result;
            begin = place + length;
        }
        place += length;
    }
    if (count == begin) return SQLITE_OK;
    return receiver->call(receiver->context, flags, token + begin, count - begin, start, end);
}

struct tokenizer {
    fts5_tokenizer below;
    Fts5Tokenizer *made;
};

static int make(void *context, const char **words, int count, Fts5Tokenizer **out) {
    static const char *options[] = {"remove_diacritics", "2"};
    (void)words;
    (void)count;
    fts5_api *api = context;
    void *data = NULL;
    struct tokenizer *tokenizer = sqlite3_malloc(sizeof *tokenizer);
    *out = NULL;
    if (tokenizer == NULL) return SQLITE_NOMEM;
    memset(tokenizer, 0, sizeof *tokenizer);
    int result = api->xFindTokenizer(api, "unicode61", &data, &tokenizer->below);
    if (result == SQLITE_OK) result = tokenizer->below.xCreate(data, options, 2, &tokenizer->made);
    if (result != SQLITE_OK) {
        sqlite3_free(tokenizer);
        return result;
    }
    *out = (Fts5Tokenizer *)tokenizer;
    return SQLITE_OK;
}

static void destroy(Fts5Tokenizer *made) {
    struct tokenizer *tokenizer = (struct tokenizer *)made;
    tokenizer->below.xDelete(tokenizer->made);
    sqlite3_free(tokenizer);
}

static int tokenize(Fts5Tokenizer *made, void *context, int flags, const char *text, int count, token_call *call) {
    struct tokenizer *tokenizer = (struct tokenizer *)made;
    struct receiver receiver = {context, call};
    return tokenizer->below.xTokenize(tokenizer->made, &receiver, flags, text, count, take);
}

int tl_words_register(sqlite3 *database) {
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, NULL);
    if (result != SQLITE_OK) return result;
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(statement);
    result = sqlite3_finalize(statement);
    if (result != SQLITE_OK) return result;
    if (api == NULL) return SQLITE_ERROR;
    fts5_tokenizer tokenizer = {make, destroy, tokenize};
    return api->xCreateTokenizer(api, "talon", api, &tokenizer, NULL);
}
