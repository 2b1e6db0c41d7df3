print("parallax")
