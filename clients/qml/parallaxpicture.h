// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <QColor>
#include <QFileSystemWatcher>
#include <QObject>
#include <QQmlParserStatus>
#include <QSize>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

// A wallpaper as properties: a folder with wallpaper.toml, or a single image, which is one layer of depth 1. A changed
// file is read again; if the new one is broken, the picture stays as it was, and `error` says why.
class ParallaxPicture : public QObject, public QQmlParserStatus {
  Q_OBJECT
  Q_INTERFACES(QQmlParserStatus)
  QML_ELEMENT

  // A path, a file URL, or the name of an installed picture; empty: the user's choice, or else the valley.
  Q_PROPERTY(QString source MEMBER m_source NOTIFY sourceChanged)
  // The screen, for a choice of its own: wallpaper-OUTPUT.
  Q_PROPERTY(QString output MEMBER m_output NOTIFY sourceChanged)

  // From back to front: {name, image (a URL), depth}.
  Q_PROPERTY(QVariantList layers MEMBER m_layers NOTIFY loaded)
  // The size of the images, in their own pixels.
  Q_PROPERTY(QSize size MEMBER m_size NOTIFY loaded)
  // How far the nearest layer moves, as a share of the output's width (0.025).
  Q_PROPERTY(double travel MEMBER m_travel NOTIFY loaded)
  Q_PROPERTY(QColor background MEMBER m_background NOTIFY loaded)
  // What is wrong, with the file and the line; empty if nothing is.
  Q_PROPERTY(QString error MEMBER m_error NOTIFY loaded)
  // The names of the installed pictures.
  Q_PROPERTY(QStringList installed READ installed CONSTANT)

 public:
  explicit ParallaxPicture(QObject *parent = nullptr);

  void classBegin() override {}
  void componentComplete() override;

  static QStringList installed();
  // Returns the path of a file URL.
  Q_INVOKABLE static QString localPath(const QUrl &url) { return url.toLocalFile(); }

 signals:
  void sourceChanged();
  void loaded();

 private:
  void load();
  QString find(QString *error) const;

  QString m_source, m_output, m_error;
  QVariantList m_layers;
  QSize m_size;
  double m_travel = 0.025;
  QColor m_background = Qt::black;
  QFileSystemWatcher m_watcher;
  QTimer m_timer;
  bool m_isComplete = false;
  // The path that is shown.
  QString m_shown;
};
