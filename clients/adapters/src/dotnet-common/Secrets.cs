using System;
using System.IO;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text.RegularExpressions;
using ProctorKit;

// What an assignment says of TLS, as SslOptions want it.
internal static class Secrets
{
    // Has servers judged by the authorities of a PEM file alone.
    internal static void Trust(SslClientAuthenticationOptions options, string path)
    {
        var policy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck };
        Later.Set(policy, "TrustMode", "CustomRootTrust");
        var store = (X509Certificate2Collection)Later.Get(policy, "CustomTrustStore");
        var blocks = Regex.Matches(File.ReadAllText(path), "-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");
        foreach (Match block in blocks) store.Add(new X509Certificate2(Convert.FromBase64String(block.Groups[1].Value)));
        Later.Set(options, "CertificateChainPolicy", policy);
    }

    // Shows the certificate of a PKCS #12 file to a server that wants one.
    internal static void Identify(SslClientAuthenticationOptions options, Part identity)
    {
        options.ClientCertificates = new X509CertificateCollection
        {
            new X509Certificate2(identity.Text("pkcs12"), identity.Text("passphrase") ?? ""),
        };
    }
}
