import os

# Before OpenCV is loaded: what claims to be larger than any photo (134 megapixels) is not unpacked.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(2**27))
