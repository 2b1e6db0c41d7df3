// SPDX-License-Identifier: Apache-2.0

#include "wallpaperfile.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "CToml.h"

namespace {

// A larger file is not a list of layers.
constexpr qint64 sizeLimit = 1 << 16;
constexpr int maxLayers = 16;

struct Entry {
  QString table, key, string;
  bool isTable, isText, isNumber;
  double number;
  uint32_t line, column;
};

QString text(CTomlText text) { return QString::fromUtf8(text.bytes, qsizetype(text.count)); }

void collect(void *context, const CTomlEntry *entry) {
  static_cast<QList<Entry> *>(context)->append(
      {text(entry->table), entry->key.bytes ? text(entry->key) : QString(),
       entry->kind == CTOML_STRING ? text(entry->string) : QString(), !entry->key.bytes, entry->kind == CTOML_STRING,
       entry->kind == CTOML_INTEGER || entry->kind == CTOML_FLOAT,
       entry->kind == CTOML_INTEGER ? double(entry->integer) : entry->floating, entry->key_position.line,
       entry->key_position.column});
  if (!entry->key.bytes) static_cast<QList<Entry> *>(context)->last().isText = entry->kind != CTOML_TABLE;
}

// toml++ opens a table for each dot, and frees tables by recursion.
bool isDeep(const QByteArray &bytes) {
  for (const QByteArray &line : bytes.split('\n')) {
    if (line.count('.') + line.count('[') > 64) return true;
  }
  return false;
}

// Adds an entry to the file; returns what is wrong with it.
QString add(const Entry &entry, const QString &folder, WallpaperFile &file) {
  if (entry.isTable) {
    if (entry.isText) return QString("'%1' is outside a table; write [wallpaper] or a layer's [NAME] above it").arg(entry.table);
    if (entry.table == "wallpaper") return {};
    if (file.layers.size() == maxLayers) return QString("more than %1 layers; join some images").arg(maxLayers);
    file.layers.append({entry.table, {}, 1});
    return {};
  }
  const auto within = [&](double low, double high) { return entry.isNumber && entry.number >= low && entry.number <= high; };
  if (entry.table == "wallpaper") {
    if (entry.key == "background") {
      static const QRegularExpression color("\\A#[0-9a-fA-F]{6}\\z");
      if (!color.match(entry.string).hasMatch()) return "background: expected a color in quotes, as in \"#1c1d4a\"";
      file.background = QColor(entry.string);
    } else if (entry.key == "travel") {
      if (!within(0, 0.1)) return "travel: expected a number from 0 to 0.1, as in 0.025";
      file.travel = entry.number;
    } else {
      return QString("unknown key '%1'; [wallpaper] has background and travel").arg(entry.key);
    }
    return {};
  }
  const auto layer = std::find_if(file.layers.begin(), file.layers.end(),
                                  [&](const WallpaperFile::Layer &layer) { return layer.name == entry.table; });
  if (layer == file.layers.end()) return {};
  if (entry.key == "image") {
    if (entry.string.isEmpty()) return "image: expected a file's name in quotes, as in \"sky.png\"";
    layer->image = QDir(folder).absoluteFilePath(entry.string);
  } else if (entry.key == "depth") {
    if (!within(-10, 10)) return "depth: expected a number from -10 to 10, as in 0.5";
    layer->depth = entry.number;
  } else {
    return QString("unknown key '%1'; a layer has image and depth").arg(entry.key);
  }
  return {};
}

}  // namespace

WallpaperFile WallpaperFile::image(const QString &path) {
  WallpaperFile file;
  file.layers.append({"image", path, 1});
  return file;
}

WallpaperFile WallpaperFile::read(const QString &folder, QString *error) {
  const QString path = folder + "/wallpaper.toml";
  QFile source(path);
  if (!source.open(QIODevice::ReadOnly)) {
    *error = QString("%1: %2").arg(path, source.errorString());
    return {};
  }
  const QByteArray bytes = source.read(sizeLimit + 1);
  if (bytes.size() > sizeLimit || isDeep(bytes)) {
    *error = path + ": too large for a list of layers";
    return {};
  }
  QList<Entry> entries;
  CTomlError problem = {};
  const auto at = [&](uint32_t line, uint32_t column, const QString &message) {
    *error = QString("%1:%2:%3: %4").arg(path).arg(line).arg(column).arg(message);
    return WallpaperFile();
  };
  if (ctoml_visit(bytes.constData(), size_t(bytes.size()), &entries, collect, &problem) != 0) {
    return at(problem.position.line, problem.position.column, QString::fromUtf8(problem.message));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &one, const Entry &other) {
    return std::pair(one.line, one.column) < std::pair(other.line, other.column);
  });
  WallpaperFile file;
  for (const Entry &entry : std::as_const(entries)) {
    const QString message = add(entry, folder, file);
    if (!message.isEmpty()) return at(entry.line, entry.column, message);
  }
  if (file.layers.isEmpty()) {
    *error = path + ": no layers; add a table for each, as in [sky] image = \"sky.png\"";
  }
  for (const Layer &layer : std::as_const(file.layers)) {
    if (!layer.image.isEmpty()) continue;
    *error = QString("%1: [%2] has no image; add image = \"FILE\"").arg(path, layer.name);
    return {};
  }
  return file;
}
