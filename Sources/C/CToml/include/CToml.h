// SPDX-License-Identifier: Apache-2.0

// A small C interface to toml++ (header-only, MIT): a configuration document as a flat list of
// entries with their positions. It covers two-level documents, [table] key = value.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_DATE_TIME,
  CTOML_ARRAY,
  CTOML_TABLE,
} CTomlKind;

// UTF-8, not terminated; valid during the visitor's call.
typedef struct {
  const char *_Nullable bytes;
  size_t count;
} CTomlText;

// Counts from 1; columns in code points.
typedef struct {
  uint32_t line;
  uint32_t column;
} CTomlPosition;

typedef struct {
  // The first level's key: a table's name in a well-formed document.
  CTomlText table;
  // The second level's key; bytes == NULL for the first level's own entry.
  CTomlText key;
  CTomlKind kind;
  CTomlText string;    // CTOML_STRING
  int64_t integer;     // CTOML_INTEGER
  double floating;     // CTOML_FLOAT
  int32_t boolean;     // CTOML_BOOLEAN
  CTomlPosition key_position;
  CTomlPosition value_position;
} CTomlEntry;

typedef struct {
  char message[256];  // UTF-8, terminated
  CTomlPosition position;
} CTomlError;

typedef void (*CTomlVisitor)(void *_Nullable context, const CTomlEntry *_Nonnull entry);

// Parses `count` bytes and calls `visitor` for every key of the first and second level, in the
// order of names; deeper values are unopened, CTOML_TABLE or CTOML_ARRAY. Returns 0, or -1 with
// `error` set and no call of `visitor`.
//
// The caller limits the size and the dots on a line: each dot may nest a table, and toml++ frees
// tables by recursion.
int ctoml_visit(
  const char *_Nonnull bytes, size_t count, void *_Nullable context,
  CTomlVisitor _Nonnull visitor, CTomlError *_Nonnull error);

#ifdef __cplusplus
}
#endif
