"""Printed score sheets: where their fields lie (a JSON file each) and what is printed on them."""
