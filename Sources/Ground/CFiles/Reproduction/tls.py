@functools.lru_cache(maxsize=None)
def context_of(profile, names, version, protocol):
    """Of a certificate for these names, which the authority `ca.pem` signs, or what is wrong with it by the profile."""
    signer = "ca"
    if profile == "wrong-host":
        names = ["elsewhere.example.org"]
    elif profile == "untrusted-root":
        signer = "other"
        make_authority(signer)
    signing = "-signkey leaf.key" if profile == "self-signed" else f"-CA {signer}.pem -CAkey {signer}.key -CAcreateserial"
    kinds = [("IP:" if re.fullmatch(r"[0-9.]+|.*:.*", name) else "DNS:") + name for name in names]
    with open(os.path.join(HERE, "leaf.ext"), "w") as file:
        file.write("basicConstraints=CA:FALSE\n" if profile == "no-san" else f"subjectAltName={','.join(kinds)}\n")
    openssl(f"req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -subj /CN={names[0]}")
    openssl(f"x509 -req -in leaf.csr {signing} -days {-1 if profile == 'expired' else 30} -extfile leaf.ext -out leaf.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(HERE, "leaf.pem"), os.path.join(HERE, "leaf.key"))
    context.maximum_version = getattr(ssl.TLSVersion, version)
    if protocol:
        context.set_alpn_protocols([protocol])
    context.sni_callback = lambda tls, name, _: server_names.append(name)
    return context


def make_authority(name="ca"):
    if not os.path.exists(os.path.join(HERE, f"{name}.pem")):
        openssl(f"req -x509 -newkey rsa:2048 -nodes -days 30 -keyout {name}.key -out {name}.pem -subj /CN=Reproduction-{name}")


def openssl(words):
    try:
        subprocess.run(["openssl", *words.split()], cwd=HERE, check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        leave(f"openssl makes the server's certificate: {error}")


