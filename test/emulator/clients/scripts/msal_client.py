"""Signs in with msal, under Microsoft's names."""
import json
import os
import socket
import sys

import msal
import requests

NAMES = {"api.powerbi.com", "login.microsoftonline.com", "login.windows.net"}
PORT = int(os.environ["EMULATOR_PORT"])
system_getaddrinfo = socket.getaddrinfo


def getaddrinfo(host, port, *args, **kwargs):
    if host not in NAMES:
        raise OSError(f"unexpected connection to {host}")
    return system_getaddrinfo("127.0.0.1", PORT, *args, **kwargs)


socket.getaddrinfo = getaddrinfo

TENANT = "deadbeef-0000-4000-8000-000000000001"
CLIENT = "deadbeef-0000-4000-8000-000000000002"
SECRET = "demo-client-secret-of-the-emulator"
USER = "dana@vitrine.example"
PASSWORD = "demo-password-of-the-emulator"
SCOPES = ["https://analysis.windows.net/powerbi/api/.default"]
AUTHORITY = "https://login.microsoftonline.com/"


def workspaces(result):
    if "access_token" not in result:
        sys.exit(json.dumps(result))
    headers = {"Authorization": "Bearer " + result["access_token"]}
    response = requests.get("https://api.powerbi.com/v1.0/myorg/groups", headers=headers)
    return [each["name"] for each in response.json()["value"]]


app = msal.ConfidentialClientApplication(CLIENT, client_credential=SECRET, authority=AUTHORITY + TENANT)
public = msal.PublicClientApplication(CLIENT, authority=AUTHORITY + "organizations")
flow = public.initiate_device_flow(scopes=SCOPES)
requests.post(
    "https://api.powerbi.com/__emulator/device-codes", json={"user_code": flow["user_code"], "username": USER}
).raise_for_status()
wrong = public.acquire_token_by_username_password(USER, "wrong", scopes=SCOPES)
print(
    json.dumps(
        {
            "bySecret": workspaces(app.acquire_token_for_client(scopes=SCOPES)),
            "byPassword": workspaces(public.acquire_token_by_username_password(USER, PASSWORD, scopes=SCOPES)),
            "byDevice": workspaces(public.acquire_token_by_device_flow(flow)),
            "refused": wrong["error_codes"],
        }
    )
)
