#!/bin/sh
# cabochon COMMAND … runs a command of manage.py as the site's user and with its environment. See operating.md; change
# the paths if the site is not in /srv/cabochon.
set -eu
cd /srv/cabochon
# Libraries look for files there, for example for the certificate of a database's client.
export HOME=/srv/cabochon
exec setpriv --reuid cabochon --regid cabochon --init-groups \
	sh -c 'umask 077; set -a; . /etc/cabochon.env; set +a; exec .venv/bin/python manage.py "$@"' cabochon "$@"
