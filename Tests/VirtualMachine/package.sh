# SPDX-License-Identifier: Apache-2.0
# The Debian package with a real systemd: from the installation to the first OFFSET, an upgrade with a changed
# configuration and a client that stays, and purge. dpkg and the maintainer scripts are the real
# ones; only the triggers of other packages, such as the index of the manual, are left out.
. /files/guest.sh
unset XDG_RUNTIME_DIR XDG_CONFIG_HOME

package() {
  DEBIAN_FRONTEND=noninteractive dpkg --no-triggers "$@" >>$O/dpkg.txt 2>&1 || {
    tail -n 20 $O/dpkg.txt
    exit 98
  }
}
# Every file with the name, where packages and services leave files.
left() {
  find /etc /run /var/lib /var/cache /usr/bin /usr/libexec /lib/systemd/system /usr/lib/systemd /lib/udev \
    /usr/lib/sysusers.d /usr/lib/modules-load.d -xdev -name '*parallax*' ! -path '/var/lib/dpkg/*'
}

# The guest's files are the host's. In a container, a policy keeps packages from starting services.
rm -f /usr/sbin/policy-rc.d
hub /run/gyroctl --sine 0.5 0.5
udevadm settle
mark "begin install"
package -i /files/old.deb
mark "installed $?"
mark "service-before $(systemctl is-active parallax.service)"
mark "enabled $(systemctl is-enabled parallax.socket parallax-control.socket | sort -u)"
mark "agent $(systemctl --global is-enabled parallax-agent.service)"
mark "group $(stat -c %G /dev/$GYRO)"
mark "begin first"
follow first /run/parallax/parallax.sock
await OFFSETS 60
service
mark "version $(dpkg-query -W -f '${Version}' parallax)"

# A changed configuration, and a client that connects again.
sed -i 's/^#rate = .*/rate = 17/' /etc/parallax/parallax.toml
systemctl reload parallax.service
mark "reload $?"
CHANGED=$(cksum </etc/parallax/parallax.toml)
parallax inhibit -- sleep 600 &
CLIENT=$!
await ZERO 30
BEFORE=$PID
mark "begin upgrade"
package -i /files/new.deb
mark "upgraded $?"
mark "new-version $(dpkg-query -W -f '${Version}' parallax)"
service
[ "$PID" != "$BEFORE" ] && [ "$PID" -gt 0 ]
mark "restarted $?"
[ "$CHANGED" = "$(cksum </etc/parallax/parallax.toml)" ]
mark "configuration-kept $?"
for _ in {1..60}; do
  parallax status --json >$O/status.json
  case $(<$O/status.json) in *'"inhibitors"'*) break ;; esac
  pause 0.5
done
kill $CLIENT
follow second /run/parallax/parallax.sock
await OFFSETS 60

# Removal and purge in one, while a client is connected.
package -P parallax
mark "purged $?"
mark "service-after $(systemctl is-active parallax.service)"
mark "sockets-after $(systemctl is-active parallax.socket parallax-control.socket | sort -u)"
left >$O/left.txt
journalctl --no-pager -n 100 >$O/journal.txt
