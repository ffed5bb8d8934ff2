"""One module per command of ``schiri``; imports of OpenCV and the like only inside the functions."""
