#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mock_portal.py VERSION [NAMESPACE KEY TYPE VALUE]...

Serves the settings of xdg-desktop-portal in version 1 (only Read, which wraps its answer twice) or 2.
org.example.Mock.Change changes a setting, as the user does.
"""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

INTERFACE = "org.freedesktop.portal.Settings"


class NotFound(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.portal.Error.NotFound"


class UnknownMethod(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.DBus.Error.UnknownMethod"


class Portal(dbus.service.Object):
    def __init__(self, bus, version, settings):
        self.version = version
        self.settings = settings
        super().__init__(bus, "/org/freedesktop/portal/desktop")

    def find(self, namespace, key):
        try:
            return self.settings[namespace, key]
        except KeyError:
            raise NotFound("Requested setting not found")

    @dbus.service.method(INTERFACE, in_signature="ss", out_signature="v")
    def ReadOne(self, namespace, key):
        if self.version < 2:
            raise UnknownMethod("No such method \"ReadOne\"")
        return self.find(namespace, key)

    @dbus.service.method(INTERFACE, in_signature="ss", out_signature="v")
    def Read(self, namespace, key):
        value = self.find(namespace, key)
        return type(value)(value, variant_level=1)

    @dbus.service.signal(INTERFACE, signature="ssv")
    def SettingChanged(self, namespace, key, value):
        pass

    @dbus.service.method("org.example.Mock", in_signature="ssv")
    def Change(self, namespace, key, value):
        self.settings[namespace, key] = value
        self.SettingChanged(namespace, key, value)


def typed(kind, text):
    return dbus.UInt32(text) if kind == "u" else dbus.Boolean(text == "true")


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
words = sys.argv[2:]
settings = {
    (words[i], words[i + 1]): typed(words[i + 2], words[i + 3]) for i in range(0, len(words), 4)}
bus = dbus.SessionBus()
portal = Portal(bus, int(sys.argv[1]), settings)
name = dbus.service.BusName("org.freedesktop.portal.Desktop", bus)
GLib.MainLoop().run()
