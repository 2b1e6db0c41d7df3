#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mock_profiles.py NAME...

Serves the profile of power-profiles-daemon under these names. Since release 0.20 the daemon has two:
org.freedesktop.UPower.PowerProfiles and, for older programs, net.hadess.PowerProfiles.
org.example.Mock.Change changes the profile, as the user does.
"""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PROPERTIES = "org.freedesktop.DBus.Properties"


class Profiles(dbus.service.Object):
    def __init__(self, bus, name):
        self.name = name
        self.profile = "balanced"
        super().__init__(bus, "/" + name.replace(".", "/"))

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, key):
        if (interface, key) != (self.name, "ActiveProfile"):
            raise dbus.DBusException("no such property", name="org.freedesktop.DBus.Error.InvalidArgs")
        return self.profile

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass


class Mock(dbus.service.Object):
    @dbus.service.method("org.example.Mock", in_signature="s")
    def Change(self, profile):
        for one in profiles:
            one.profile = profile
            one.PropertiesChanged(one.name, {"ActiveProfile": profile}, [])


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
profiles = [Profiles(bus, name) for name in sys.argv[1:]]
mock = Mock(bus, "/org/example/Mock")
names = [dbus.service.BusName(name, bus) for name in sys.argv[1:]]
GLib.MainLoop().run()
