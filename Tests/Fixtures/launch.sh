#!/bin/sh
# Runs the file `script` beside the link by which this was called. A program that a test has just written cannot be started
# while a child that another test has just forked still holds it open (ETXTBSY); what is only read can.
. "${0%/*}/script"
