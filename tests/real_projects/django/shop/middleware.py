import time


class Timing:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        began = time.monotonic()
        response = self.get_response(request)
        response["X-Milliseconds"] = str(round((time.monotonic() - began) * 1000))
        return response
