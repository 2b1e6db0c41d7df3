// SPDX-License-Identifier: Apache-2.0

#include "parallaxpicture.h"

#include <QDir>
#include <QFileInfo>
#include <QImageReader>
#include <QStandardPaths>

#include "wallpaperfile.h"

namespace {

constexpr auto folder = "parallax/wallpapers/";

QString pathOf(const QString &name) {
  return QStandardPaths::locate(QStandardPaths::GenericDataLocation, folder + name,
                                QStandardPaths::LocateDirectory | QStandardPaths::LocateFile);
}

}  // namespace

ParallaxPicture::ParallaxPicture(QObject *parent) : QObject(parent) {
  // Editors write a file in several steps.
  m_timer.setSingleShot(true);
  m_timer.setInterval(200);
  const auto later = [this] { m_timer.start(); };
  connect(&m_timer, &QTimer::timeout, this, &ParallaxPicture::load);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
  connect(this, &ParallaxPicture::sourceChanged, this, [this] {
    if (m_isComplete) load();
  });
}

void ParallaxPicture::componentComplete() {
  m_isComplete = true;
  load();
}

QStringList ParallaxPicture::installed() {
  QStringList names;
  for (const QString &path : QStandardPaths::locateAll(QStandardPaths::GenericDataLocation, folder,
                                                       QStandardPaths::LocateDirectory)) {
    names += QDir(path).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
  names.removeDuplicates();
  names.sort();
  return names;
}

QString ParallaxPicture::find(QString *error) const {
  if (m_source.startsWith("file:")) return QUrl(m_source).toLocalFile();
  if (m_source.contains('/')) return m_source;
  if (!m_source.isEmpty()) {
    const QString path = pathOf(m_source);
    if (path.isEmpty()) *error = QString("'%1' is not an installed picture; choose another one").arg(m_source);
    return path;
  }
  const QString chosen = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/parallax/wallpaper";
  for (const QString &path : {chosen + "-" + m_output, chosen}) {
    if (QFileInfo::exists(path)) return path;
  }
  const QString valley = pathOf("valley");
  if (valley.isEmpty()) *error = chosen + " does not exist, and no 'valley' is installed; choose a folder or an image";
  return valley;
}

void ParallaxPicture::load() {
  WallpaperFile file;
  QString error;
  const QString path = find(&error);
  if (!path.isEmpty()) file = QFileInfo(path).isDir() ? WallpaperFile::read(path, &error) : WallpaperFile::image(path);

  QStringList watched = {QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/parallax", path,
                         QFileInfo(path).absolutePath(), path + "/wallpaper.toml"};
  QSize size;
  QVariantList layers;
  for (const WallpaperFile::Layer &layer : file.layers) {
    watched << layer.image;
    QImageReader reader(layer.image);
    reader.setAutoTransform(true);
    if (!reader.canRead() || reader.size().isEmpty()) {
      if (error.isEmpty()) error = QString("%1: %2").arg(layer.image, reader.errorString());
      continue;
    }
    // A camera held upright stores the picture lying.
    if (size.isEmpty()) {
      size = reader.transformation() & QImageIOHandler::TransformationRotate90 ? reader.size().transposed() : reader.size();
    }
    layers << QVariantMap{{"name", layer.name}, {"image", QUrl::fromLocalFile(layer.image)}, {"depth", layer.depth}};
  }
  if (!error.isEmpty()) qWarning("parallax: %s", qPrintable(error));
  // A broken new version leaves the picture as it was.
  if (error.isEmpty() || path != m_shown) {
    m_shown = path;
    m_layers = layers;
    m_size = size;
    m_travel = file.travel;
    m_background = file.background;
  }
  m_error = error;

  if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
  if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
  for (const QString &name : watched) {
    if (!name.isEmpty() && QFileInfo::exists(name)) m_watcher.addPath(name);
  }
  emit loaded();
}
