// SPDX-License-Identifier: Apache-2.0

// What the shell knows about monitors and does not tell its extensions: names of outputs, the rotation of the device's
// own screen, and whether the monitors are on. From Mutter's interface on the session bus.

import Gio from 'gi://Gio';

const interfaceInfo = `
<node>
  <interface name="org.gnome.Mutter.DisplayConfig">
    <method name="GetCurrentState">
      <arg name="serial" direction="out" type="u"/>
      <arg name="monitors" direction="out" type="a((ssss)a(siiddada{sv})a{sv})"/>
      <arg name="logical_monitors" direction="out" type="a(iiduba(ssss)a{sv})"/>
      <arg name="properties" direction="out" type="a{sv}"/>
    </method>
    <property name="PowerSaveMode" type="i" access="readwrite"/>
    <signal name="MonitorsChanged"/>
  </interface>
</node>`;

// In the numbers of the transforms, as far as they are not mirrored.
const orientations = ['normal', 'left-up', 'bottom-up', 'right-up'];

/** Returns the names of outputs by the places of their monitors, "X,Y", and the orientation of the device's own screen,
 * or null without such a screen, from the answer to GetCurrentState. */
export function readState(monitors, logicalMonitors) {
  const builtIn = monitors.find(([, , properties]) => properties['is-builtin']?.unpack())?.[0][0];
  const names = new Map();
  let orientation = null;
  for (const [x, y, , transform, , outputs] of logicalMonitors) {
    // More than one if they are mirrored.
    const connectors = outputs.map(([connector]) => connector);
    names.set(`${x},${y}`, connectors);
    if (connectors.includes(builtIn)) orientation = orientations[transform] ?? null;
  }
  return { names, orientation };
}

/** Watches the monitors and calls `onchange` when it knows them and after each change. */
export class Monitors {
  #proxy = null;
  #cancellable = new Gio.Cancellable();
  #names = new Map();
  #onchange;

  /** As `orientation` of WATCH; null without a screen of the device's own. */
  orientation = null;

  constructor(onchange) {
    this.#onchange = onchange;
    const Proxy = Gio.DBusProxy.makeProxyWrapper(interfaceInfo);
    Proxy.newAsync(
      Gio.DBus.session, 'org.gnome.Mutter.DisplayConfig', '/org/gnome/Mutter/DisplayConfig', this.#cancellable).then(
      proxy => {
        if (this.#cancellable.is_cancelled()) return;
        this.#proxy = proxy;
        proxy.connectObject('g-properties-changed', () => this.#onchange(), 'g-signal', () => this.#read(), this);
        this.#read();
      }, error => this.#warn(error));
  }

  /** Whether the monitors are on. */
  get isOn() { return (this.#proxy?.PowerSaveMode ?? 0) <= 0; }

  /** Returns the names of the outputs of a monitor, more than one if they are mirrored. */
  namesOf({ x, y }) { return this.#names.get(`${x},${y}`) ?? []; }

  destroy() {
    this.#cancellable.cancel();
    this.#proxy?.disconnectObject(this);
    this.#proxy = null;
  }

  #read() {
    this.#proxy.GetCurrentStateRemote((answer, error) => {
      if (this.#cancellable.is_cancelled()) return;
      if (error) return this.#warn(error);
      const [, monitors, logicalMonitors] = answer;
      ({ names: this.#names, orientation: this.orientation } = readState(monitors, logicalMonitors));
      this.#onchange();
    }, this.#cancellable);
  }

  #warn(error) {
    if (this.#cancellable.is_cancelled()) return;
    console.warn(`parallax: names of outputs are unknown: ${error.message}`);
    // The pictures of all outputs can be shown all the same.
    this.#onchange();
  }
}
