#!/bin/sh
# First on PATH while wirelab installs packages: no service is started, stopped or restarted.
exit 0
