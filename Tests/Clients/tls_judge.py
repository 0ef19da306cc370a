"""Says what Python's ssl makes of a server: `accept VERSION`, or `refuse` and why.

Arguments: address, port, PEM file of the authority, the name that is asked for (or the address again), and, if the
certificate is to be looked up in it, a PEM file with a CRL.
"""

import socket
import ssl
import sys

address, port, authority, name = sys.argv[1:5]
context = ssl.create_default_context(cafile=authority)
if len(sys.argv) > 5:
    context.load_verify_locations(cafile=sys.argv[5])
    context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
with socket.create_connection((address, int(port)), timeout=60) as connection:
    try:
        with context.wrap_socket(connection, server_hostname=name) as secured:
            print("accept", secured.version())
    except ssl.SSLError as failure:
        print("refuse", failure)
