// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <QColor>
#include <QList>
#include <QString>

// The contents of a wallpaper.toml; docs/wallpaper.md describes it.
struct WallpaperFile {
  struct Layer {
    QString name, image;
    double depth = 1;
  };

  // From back to front.
  QList<Layer> layers;
  double travel = 0.025;
  QColor background = Qt::black;

  // A single image, which moves as a whole.
  static WallpaperFile image(const QString &path);
  // Reads wallpaper.toml of a folder. An error has the file, the line and the column; the layers are then empty.
  static WallpaperFile read(const QString &folder, QString *error);
};
