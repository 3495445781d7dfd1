"""Mutants on MQTT."""

from feltrig.emulators.saboteur.mqtt import answers, connection, payloads, publications, requests

FILES = (publications, payloads, connection, answers, requests)
