// SPDX-License-Identifier: Apache-2.0

#include "CToml.h"

#include <algorithm>
#include <cstring>
#include <string_view>

// No exceptions: an error is a value. No formatters: only reading is needed. Four levels of nested
// arrays and inline tables are twice the need of any configuration, and limit the recursion of
// parser and destructors on the small stacks of threads.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 4
// Numbers by <charconv>: the alternative, a string stream, initializes every facet of a locale.
#define TOML_FLOAT_CHARCONV 1
// Input is untrusted: a malformed file is an error with a position, never an abort.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace {

CTomlText text(std::string_view view) { return {view.data(), view.size()}; }

CTomlPosition position(const toml::source_position &place) {
  return {static_cast<uint32_t>(place.line), static_cast<uint32_t>(place.column)};
}

CTomlEntry entry(const toml::key &key, const toml::node &node) {
  CTomlEntry entry = {};
  entry.key_position = position(key.source().begin);
  entry.value_position = position(node.source().begin);
  switch (node.type()) {
    case toml::node_type::string:
      entry.kind = CTOML_STRING;
      entry.string = text(node.as_string()->get());
      break;
    case toml::node_type::integer:
      entry.kind = CTOML_INTEGER;
      entry.integer = node.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      entry.kind = CTOML_FLOAT;
      entry.floating = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      entry.kind = CTOML_BOOLEAN;
      entry.boolean = node.as_boolean()->get();
      break;
    case toml::node_type::array:
      entry.kind = CTOML_ARRAY;
      break;
    case toml::node_type::table:
      entry.kind = CTOML_TABLE;
      break;
    default:
      entry.kind = CTOML_DATE_TIME;
      break;
  }
  return entry;
}

}  // namespace

int ctoml_visit(
  const char *bytes, size_t count, void *context, CTomlVisitor visitor, CTomlError *error) {
  toml::parse_result result = toml::parse(std::string_view(bytes, count));
  if (!result) {
    const std::string_view description = result.error().description();
    const size_t length = std::min(description.size(), sizeof(error->message) - 1);
    std::memcpy(error->message, description.data(), length);
    error->message[length] = '\0';
    error->position = position(result.error().source().begin);
    return -1;
  }
  const toml::table &document = result.table();
  for (auto &&[table_key, table_node] : document) {
    CTomlEntry outer = entry(table_key, table_node);
    outer.table = text(table_key.str());
    visitor(context, &outer);
    const toml::table *table = table_node.as_table();
    if (table == nullptr) continue;
    for (auto &&[key, node] : *table) {
      CTomlEntry inner = entry(key, node);
      inner.table = text(table_key.str());
      inner.key = text(key.str());
      visitor(context, &inner);
    }
  }
  return 0;
}
