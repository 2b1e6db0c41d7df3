// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <QAbstractAnimation>
#include <QObject>
#include <QQmlParserStatus>
#include <QStringList>
#include <QVariantList>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

struct parallax;
struct parallax_message;
struct parallax_offset;
class QSocketNotifier;

// A connection to parallaxd as properties: those of the offset change once per picture while something moves, and not at
// rest. It connects again by itself and repeats its request.
class ParallaxStream : public QObject, public QQmlParserStatus {
  Q_OBJECT
  Q_INTERFACES(QQmlParserStatus)
  QML_ELEMENT

  // The request. A rate of 0 and an undefined `layers` are the daemon's.
  Q_PROPERTY(bool enabled MEMBER m_enabled NOTIFY requestChanged)
  Q_PROPERTY(double rate MEMBER m_rate NOTIFY requestChanged)
  // How many px the picture may be off, WATCH's on_change: with a rate of 0, the stream then asks for up to 60 frames
  // per second, as many as that takes. 0: each frame that differs; below 0: every frame.
  Q_PROPERTY(double tolerance MEMBER m_tolerance NOTIFY requestChanged)
  Q_PROPERTY(QVariantMap layers MEMBER m_layers NOTIFY requestChanged)
  Q_PROPERTY(QString orientation MEMBER m_orientation NOTIFY requestChanged)

  // Where and how to connect; read once, when the component is complete.
  Q_PROPERTY(QString socketPath MEMBER m_socketPath NOTIFY connectionOptionsChanged)
  Q_PROPERTY(double firstWait MEMBER m_firstWait NOTIFY connectionOptionsChanged)
  Q_PROPERTY(double longestWait MEMBER m_longestWait NOTIFY connectionOptionsChanged)

  // How long after now a picture becomes visible, in s.
  Q_PROPERTY(double leadTime MEMBER m_leadTime NOTIFY leadTimeChanged)

  // px, fractions of the range, degrees clockwise, factor, 0...1.
  Q_PROPERTY(double x MEMBER m_x NOTIFY offsetChanged)
  Q_PROPERTY(double y MEMBER m_y NOTIFY offsetChanged)
  Q_PROPERTY(double nx MEMBER m_nx NOTIFY offsetChanged)
  Q_PROPERTY(double ny MEMBER m_ny NOTIFY offsetChanged)
  Q_PROPERTY(double rotation MEMBER m_rotation NOTIFY offsetChanged)
  Q_PROPERTY(double scale MEMBER m_scale NOTIFY offsetChanged)
  Q_PROPERTY(double scaleY MEMBER m_scaleY NOTIFY offsetChanged)
  Q_PROPERTY(double opacity MEMBER m_opacity NOTIFY offsetChanged)
  // {NAME: {x, y}} of the stream's own layers.
  Q_PROPERTY(QVariantMap layerOffsets MEMBER m_layerOffsets NOTIFY offsetChanged)
  Q_PROPERTY(bool moving READ isMoving NOTIFY movingChanged)

  // `connecting`, `connected`, `waiting` or `closed`, and why the stream is closed: `no-daemon`, `closed` or
  // `incompatible`.
  Q_PROPERTY(QString state READ state NOTIFY stateChanged)
  Q_PROPERTY(bool connected READ isConnected NOTIFY stateChanged)
  Q_PROPERTY(QString error READ error NOTIFY stateChanged)
  Q_PROPERTY(bool gateOpen MEMBER m_gateOpen NOTIFY gateChanged)
  Q_PROPERTY(QStringList gateReasons MEMBER m_gateReasons NOTIFY gateChanged)
  Q_PROPERTY(QString deviceState MEMBER m_deviceState NOTIFY deviceChanged)
  // The limits of the motion in px, [left, right] and [up, down]; empty if unknown. The hidden margin of a picture.
  Q_PROPERTY(QVariantList rangeX MEMBER m_rangeX NOTIFY deviceChanged)
  Q_PROPERTY(QVariantList rangeY MEMBER m_rangeY NOTIFY deviceChanged)

 public:
  explicit ParallaxStream(QObject *parent = nullptr);
  ~ParallaxStream() override;

  void classBegin() override {}
  void componentComplete() override;

  // Returns the offset at an instant in s of CLOCK_MONOTONIC: {x, y, nx, ny, layers, ...}; null before the first frame.
  Q_INVOKABLE QVariant offsetAt(double seconds) const;
  // Requests DEVICE, GATE and OFFSET once.
  Q_INVOKABLE void poll();

  bool isMoving() const { return m_ticker.state() == QAbstractAnimation::Running; }
  QString state() const;
  bool isConnected() const;
  QString error() const;

 signals:
  void requestChanged();
  void connectionOptionsChanged();
  void leadTimeChanged();
  void offsetChanged();
  void movingChanged();
  void stateChanged();
  void gateChanged();
  void deviceChanged();
  // An OFFSET as it came.
  void offsetReceived(const QVariant &offset);

 private:
  // Runs with the frames of the windows, while something moves.
  class Ticker : public QAbstractAnimation {
   public:
    explicit Ticker(ParallaxStream *stream) : m_stream(stream) {}
    int duration() const override { return -1; }

   protected:
    void updateCurrentTime(int) override { m_stream->draw(); }

   private:
    ParallaxStream *m_stream;
  };

  static void receive(void *self, const parallax_message *message);
  void dispatch();
  void sendRequest();
  void draw();
  void takeDevice(const parallax_message &message);

  parallax *m_stream = nullptr;
  QSocketNotifier *m_notifier = nullptr;
  Ticker m_ticker{this};
  bool m_enabled = true;
  bool m_wasDisabled = false, m_hadLayers = false;
  double m_rate = 0;
  double m_tolerance = 0.01;
  bool m_hadTolerance = false;
  QVariantMap m_layers;
  QString m_orientation;
  QString m_socketPath;
  double m_firstWait = 0.1;
  double m_longestWait = 5;
  double m_leadTime = 1.0 / 60;
  double m_x = 0, m_y = 0, m_nx = 0, m_ny = 0, m_rotation = 0, m_scale = 1, m_scaleY = 1, m_opacity = 1;
  QVariantMap m_layerOffsets;
  bool m_gateOpen = false;
  QStringList m_gateReasons;
  QString m_deviceState;
  QVariantList m_rangeX, m_rangeY;
};
