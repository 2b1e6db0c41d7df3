// SPDX-License-Identifier: Apache-2.0

// The program by which Tests/Conformance/run.py drives this client: `driver stream`; and `driver grab SCENE.qml MS...`
// draws a scene that many ms after its start to grab-1.png, grab-2.png ... in the current folder ($GRAB_FORMAT: ppm).
#include <QGuiApplication>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QtQml>
#include <QQuickView>
#include <QSocketNotifier>
#include <QTimer>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace {

void show(const QVariantMap &map) {
  std::printf("%s\n", QJsonDocument(QJsonObject::fromVariantMap(map)).toJson(QJsonDocument::Compact).constData());
  std::fflush(stdout);
}

// Prints what the signals of a stream report.
class Witness : public QObject {
  Q_OBJECT

 public:
  explicit Witness(QObject *stream) : m_stream(stream) {
    connect(stream, SIGNAL(stateChanged()), this, SLOT(showState()));
    connect(stream, SIGNAL(offsetReceived(QVariant)), this, SLOT(showOffset(QVariant)));
  }

  // Returns false for `close`.
  bool obey(const QByteArray &line) {
    if (line == "close") return false;
    if (line == "poll") QMetaObject::invokeMethod(m_stream, "poll");
    if (line == "properties") {
      QVariantMap values;
      for (const char *name : {"x", "y", "nx", "ny", "layerOffsets", "moving", "connected", "gateOpen", "gateReasons",
                               "deviceState", "rangeX", "rangeY"}) {
        values[name] = m_stream->property(name);
      }
      show({{"properties", values}});
    }
    if (line.startsWith("watch ")) setRequest(line.mid(6));
    if (line.startsWith("at")) {
      timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      const double seconds = line.size() > 2 ? line.mid(3).toDouble() : double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
      QVariant offset;
      QMetaObject::invokeMethod(m_stream, "offsetAt", Q_RETURN_ARG(QVariant, offset), Q_ARG(double, seconds));
      show({{"at", offset}});
    }
    return true;
  }

  void setRequest(const QByteArray &json) {
    const QVariantMap fields = QJsonDocument::fromJson(json).object().toVariantMap();
    for (auto field = fields.cbegin(); field != fields.cend(); ++field) {
      m_stream->setProperty(field.key().toUtf8().constData(), field.value());
    }
  }

 private slots:
  void showState() {
    const QString state = m_stream->property("state").toString(), error = m_stream->property("error").toString();
    if (state != m_last) show({{"state", state}});
    m_last = state;
    if (state != "closed") return;
    show({{"error", error}});
    qApp->quit();
  }

  void showOffset(const QVariant &offset) {
    QVariantMap message = offset.toMap();
    message["class"] = "OFFSET";
    show({{"message", message}});
  }

 private:
  QObject *m_stream;
  QString m_last;
};

// Quickshell's attached object, for its example; the other types are in stubs/Quickshell.
class WlrLayershell : public QObject {
  Q_OBJECT
  Q_PROPERTY(int layer MEMBER m_layer)
  QML_ATTACHED(WlrLayershell)

 public:
  explicit WlrLayershell(QObject *parent = nullptr) : QObject(parent) {}
  static WlrLayershell *qmlAttachedProperties(QObject *object) { return new WlrLayershell(object); }

 private:
  int m_layer = 2;
};

int drive(QGuiApplication &application, QQmlEngine &engine) {
  QQmlComponent component(&engine);
  component.setData("import Parallax\nParallaxStream {}", QUrl());
  QObject *stream = component.beginCreate(engine.rootContext());
  if (!stream) {
    std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
    return 1;
  }
  Witness witness(stream);
  witness.setRequest(qgetenv("DRIVER_WATCH"));
  const QList<QByteArray> waits = qgetenv("DRIVER_BACKOFF").split(':');
  // Every frame, unless a case says otherwise.
  stream->setProperty("tolerance", -1);
  stream->setProperty("firstWait", waits.size() == 2 ? waits[0].toDouble() : -1);
  stream->setProperty("longestWait", waits.size() == 2 ? waits[1].toDouble() : 5);
  component.completeCreate();
  QByteArray input;
  QSocketNotifier notifier(0, QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, [&] {
    char bytes[4096];
    const ssize_t count = read(0, bytes, sizeof bytes);
    if (count <= 0) return application.quit();
    input.append(bytes, count);
    for (qsizetype end; (end = input.indexOf('\n')) >= 0; input.remove(0, end + 1)) {
      if (!witness.obey(input.left(end))) application.quit();
    }
  });
  const int code = application.exec();
  delete stream;
  return code;
}

int grab(QGuiApplication &application, QQmlEngine &engine, const QStringList &arguments) {
  qmlRegisterType<WlrLayershell>("Quickshell.Wayland", 1, 0, "WlrLayershell");
  QQuickView view(&engine, nullptr);
  view.setSource(QUrl::fromLocalFile(arguments.value(2)));
  if (view.status() != QQuickView::Ready) return 1;
  view.show();
  int number = 0;
  for (const QString &ms : arguments.mid(3)) {
    const QString name = QString("grab-%1.%2").arg(++number).arg(qEnvironmentVariable("GRAB_FORMAT", "png"));
    const bool isLast = number == arguments.size() - 3;
    QTimer::singleShot(ms.toInt(), [&view, &application, name, isLast] {
      view.grabWindow().save(name);
      if (isLast) application.quit();
    });
  }
  return application.exec();
}

}  // namespace

int main(int argc, char **argv) {
  QGuiApplication application(argc, argv);
  QQmlEngine engine;
  const QStringList arguments = application.arguments();
  return arguments.value(1) == "grab" ? grab(application, engine, arguments) : drive(application, engine);
}

#include "driver.moc"
