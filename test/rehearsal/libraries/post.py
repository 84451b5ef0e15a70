"""Sends a POST without a body: post.py <form> <url> <token>. Ends with 1 unless it is answered with 2xx."""
import sys
import urllib.request

import requests

_, form, url, token = sys.argv
headers = {"Authorization": token}
if form == "urllib":
    urllib.request.urlopen(urllib.request.Request(url, data=b"", headers=headers))
elif form == "requests":
    requests.post(url, headers=headers).raise_for_status()
elif form == "requests-empty":
    requests.post(url, headers=headers, data="").raise_for_status()
elif form == "requests-json":
    requests.post(url, headers=headers, json=None).raise_for_status()
else:
    sys.exit(f"no such form: {form}")
