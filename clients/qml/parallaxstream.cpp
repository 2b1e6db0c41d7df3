// SPDX-License-Identifier: Apache-2.0

#include "parallaxstream.h"

#include <QMetaMethod>
#include <QPointer>
#include <QSocketNotifier>
#include <algorithm>
#include <cmath>

#include "parallax.h"

namespace {

void copyVelocity(QVariantMap &map, unsigned has, double vx, double vy) {
  if (!(has & PARALLAX_VELOCITY)) return;
  map["vx"] = vx;
  map["vy"] = vy;
}

void copyPose(QVariantMap &map, unsigned has, double rotation, double scale, double scaleY, double opacity) {
  if (has & PARALLAX_ROTATION) map["rotation"] = rotation;
  if (has & PARALLAX_SCALE) map["scale"] = scale;
  if (has & PARALLAX_SCALE_Y) map["scale_y"] = scaleY;
  if (has & PARALLAX_OPACITY) map["opacity"] = opacity;
}

QVariantMap mapOf(const parallax_offset &offset) {
  QVariantMap layers;
  for (int k = 0; k < offset.layer_count; k++) {
    const parallax_layer &layer = offset.layers[k];
    QVariantMap place{{"x", layer.x}, {"y", layer.y}};
    copyVelocity(place, layer.has, layer.vx, layer.vy);
    copyPose(place, layer.has, layer.rotation, layer.scale, layer.scale_y, layer.opacity);
    layers[QString::fromUtf8(layer.name)] = place;
  }
  QVariantMap map{{"x", offset.x}, {"y", offset.y}, {"nx", offset.nx}, {"ny", offset.ny}, {"layers", layers}};
  copyVelocity(map, offset.has, offset.vx, offset.vy);
  copyPose(map, offset.has, offset.rotation, offset.scale, offset.scale_y, offset.opacity);
  return map;
}

}  // namespace

ParallaxStream::ParallaxStream(QObject *parent) : QObject(parent) {
  connect(&m_ticker, &QAbstractAnimation::stateChanged, this, &ParallaxStream::movingChanged);
}

ParallaxStream::~ParallaxStream() {
  m_ticker.stop();
  delete m_notifier;
  parallax_close(m_stream);
}

void ParallaxStream::componentComplete() {
  const QByteArray path = m_socketPath.toUtf8();
  parallax_options options = {};
  options.socket_path = path.isEmpty() ? nullptr : path.constData();
  options.first_wait = m_firstWait;
  options.longest_wait = m_longestWait;
  options.on_message = receive;
  options.on_state = [](void *self, parallax_state) { emit static_cast<ParallaxStream *>(self)->stateChanged(); };
  options.data = this;
  m_stream = parallax_open(&options);
  if (!m_stream) {
    emit stateChanged();
    return;
  }
  sendRequest();
  connect(this, &ParallaxStream::requestChanged, this, &ParallaxStream::sendRequest);
  m_notifier = new QSocketNotifier(parallax_fd(m_stream), QSocketNotifier::Read, this);
  connect(m_notifier, &QSocketNotifier::activated, this, &ParallaxStream::dispatch);
}

void ParallaxStream::dispatch() {
  // A handler may delete this object.
  const QPointer<ParallaxStream> self(this);
  const int result = parallax_dispatch(m_stream);
  if (self && result < 0) {
    m_notifier->setEnabled(false);
    emit stateChanged();
  }
}

void ParallaxStream::sendRequest() {
  parallax_watch watch = {};
  // Once a field has been sent, its default is sent, too.
  m_wasDisabled = m_wasDisabled || !m_enabled;
  if (m_wasDisabled) watch.fields |= PARALLAX_WATCH_ENABLE;
  watch.enable = m_enabled;
  if (m_rate > 0 || m_tolerance >= 0) {
    watch.fields |= PARALLAX_WATCH_RATE;
    watch.rate = m_rate > 0 ? m_rate : 60;
  }
  // The daemon sends every frame otherwise, which -1 requests here.
  if (m_tolerance >= 0 || m_hadTolerance) {
    watch.fields |= PARALLAX_WATCH_ON_CHANGE;
    watch.on_change = m_tolerance;
    m_hadTolerance = true;
  }
  if (!m_orientation.isEmpty()) {
    watch.fields |= PARALLAX_WATCH_ORIENTATION;
    qstrncpy(watch.orientation, m_orientation.toUtf8().constData(), sizeof watch.orientation);
  }
  m_hadLayers = m_hadLayers || !m_layers.isEmpty();
  if (m_hadLayers) {
    watch.fields |= PARALLAX_WATCH_LAYERS;
    if (m_layers.isEmpty()) watch.depth_count = -1;
    for (auto layer = m_layers.cbegin(); layer != m_layers.cend(); ++layer) {
      const double depth = layer.value().toDouble();
      if (watch.depth_count == PARALLAX_MAX_DEPTHS || !std::isfinite(depth)) continue;
      auto &place = watch.depths[watch.depth_count++];
      qstrncpy(place.name, layer.key().toUtf8().constData(), sizeof place.name);
      place.depth = depth;
    }
  }
  if (m_stream && watch.fields) parallax_set_watch(m_stream, &watch);
}

void ParallaxStream::receive(void *self, const parallax_message *message) {
  auto *stream = static_cast<ParallaxStream *>(self);
  switch (message->kind) {
    case PARALLAX_MESSAGE_GATE:
      stream->m_gateOpen = message->gate.open;
      stream->m_gateReasons.clear();
      for (int k = 0; k < message->gate.reason_count; k++) {
        stream->m_gateReasons << QString::fromUtf8(message->gate.reasons[k]);
      }
      emit stream->gateChanged();
      break;
    case PARALLAX_MESSAGE_DEVICE: stream->takeDevice(*message); break;
    case PARALLAX_MESSAGE_OFFSET: {
      if (!stream->isMoving()) stream->m_ticker.start();
      static const QMetaMethod received = QMetaMethod::fromSignal(&ParallaxStream::offsetReceived);
      if (stream->isSignalConnected(received)) {
        const parallax_offset &offset = *message->offset;
        QVariantMap map = mapOf(offset);
        map["seq"] = static_cast<double>(offset.seq);
        map["time"] = static_cast<double>(offset.time_ns) * 1e-9;
        if (offset.has & PARALLAX_DROPPED) map["dropped"] = static_cast<double>(offset.dropped);
        emit stream->offsetReceived(map);
      }
      break;
    }
    default: break;
  }
}

void ParallaxStream::takeDevice(const parallax_message &message) {
  const auto &device = message.device;
  m_deviceState = QString::fromUtf8(device.state);
  m_rangeX = device.has_range_x ? QVariantList{device.range_x[0], device.range_x[1]} : QVariantList();
  m_rangeY = device.has_range_y ? QVariantList{device.range_y[0], device.range_y[1]} : QVariantList();
  emit deviceChanged();
}

void ParallaxStream::draw() {
  parallax_offset offset;
  const int64_t now = parallax_now(), ahead = static_cast<int64_t>(m_leadTime * 1e9);
  if (m_stream && parallax_offset_ahead(m_stream, now + ahead, ahead, &offset)) {
    m_x = offset.x;
    m_y = offset.y;
    m_nx = offset.nx;
    m_ny = offset.ny;
    m_rotation = offset.rotation;
    m_scale = offset.scale;
    m_scaleY = offset.scale_y;
    m_opacity = offset.opacity;
    if (offset.layer_count > 0 || !m_layerOffsets.isEmpty()) m_layerOffsets = mapOf(offset)["layers"].toMap();
    emit offsetChanged();
  }
  // Ahead, each line is followed for as much longer.
  if (!m_stream || now + std::min<int64_t>(ahead, 0) >= parallax_moving_until(m_stream)) m_ticker.stop();
}

QVariant ParallaxStream::offsetAt(double seconds) const {
  parallax_offset offset;
  if (!m_stream || !parallax_offset_at(m_stream, static_cast<int64_t>(std::llround(seconds * 1e9)), &offset)) {
    return QVariant::fromValue(nullptr);
  }
  return mapOf(offset);
}

void ParallaxStream::poll() {
  if (m_stream) parallax_poll(m_stream);
}

QString ParallaxStream::state() const {
  if (!m_stream) return "closed";
  switch (parallax_get_state(m_stream)) {
    case PARALLAX_CONNECTING: return "connecting";
    case PARALLAX_CONNECTED: return "connected";
    case PARALLAX_WAITING: return "waiting";
    case PARALLAX_CLOSED: break;
  }
  return "closed";
}

bool ParallaxStream::isConnected() const { return m_stream && parallax_get_state(m_stream) == PARALLAX_CONNECTED; }

QString ParallaxStream::error() const {
  if (!m_stream) return "no-resources";
  if (parallax_get_state(m_stream) != PARALLAX_CLOSED) return {};
  switch (parallax_get_error(m_stream, nullptr)) {
    case PARALLAX_OK: return {};
    case PARALLAX_NO_DAEMON: return "no-daemon";
    case PARALLAX_ENDED: return "closed";
    case PARALLAX_INCOMPATIBLE: return "incompatible";
    // Only a feed is refused.
    case PARALLAX_REFUSED: break;
  }
  return {};
}
