import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import zlib from 'node:zlib'
import { errors as undici } from 'undici'

/** Errors by which a machine says that it has no more sockets or memory. */
export const shortages = new Set([
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EAI_MEMORY',
  'OUT_OF_MEM',
  'Z_MEM_ERROR',
  'ZSTD_error_memory_allocation',
  'ERR_MEMORY_ALLOCATION_FAILED',
])

/** Why OpenSSL does not trust a certificate, as Node names it (`X509ErrorCode`). */
const distrust = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'CERT_SIGNATURE_FAILURE',
  'CRL_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'OUT_OF_MEM',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'INVALID_PURPOSE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'HOSTNAME_MISMATCH',
  'UNSPECIFIED',
]

/** The alerts of TLS (IANA's registry) and others of OpenSSL, as Node makes codes of their texts. */
const openssl = [
  'SSLV3_ALERT_HANDSHAKE_FAILURE',
  'SSLV3_ALERT_BAD_RECORD_MAC',
  'SSLV3_ALERT_BAD_CERTIFICATE',
  'TLSV1_ALERT_INTERNAL_ERROR',
  'TLSV1_ALERT_PROTOCOL_VERSION',
  'TLSV1_UNRECOGNIZED_NAME',
  'TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'TLSV13_ALERT_MISSING_EXTENSION',
  'DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  'WRONG_VERSION_NUMBER',
  'UNEXPECTED_EOF_WHILE_READING',
  'DH_KEY_TOO_SMALL',
].map(name => `ERR_SSL_${name}`)

const made = (Class: unknown) =>
  new (Class as new (...args: unknown[]) => { code?: string })('', 0, { headers: {}, data: {} })

/**
 * The codes of every error of Node's net, tls, dns, http, zlib and streams, and of undici: from their tables where they
 * have one, else from the sources in Node's own program.
 */
export function errorCodes(): string[] {
  const program = readFileSync(process.execPath, 'latin1')
  const inProgram =
    program.match(
      /\b(?:ERR_(?:TLS|HTTP|STREAM|SOCKET|ZLIB|BROTLI|ZSTD|BUFFER|INVALID|PADDING|MEMORY|OSSL|SSL|DNS|PROXY|CRYPTO)_[A-Z0-9_]{2,50}|HPE_[A-Z0-9_]{2,50}|UND_ERR_[A-Z0-9_]{2,50})\b/g,
    ) ?? []
  return [
    ...new Set([
      ...[...getSystemErrorMap().values()].map(([code]) => code),
      ...Object.entries(dns).flatMap(([, value]) =>
        typeof value === 'string' && /^E[A-Z]+$/.test(value) ? value : [],
      ),
      ...Object.keys('codes' in zlib ? Object(zlib.codes) : {}).filter(code => /^Z_/.test(code)),
      ...Object.keys(zlib.constants).filter(name => /^(?:BROTLI_DECODER_ERROR|ZSTD_error)/.test(name)),
      ...Object.keys(zlib.constants).flatMap(name => (/^BROTLI_DECODER_(ERROR.+)/.test(name) ? `ERR_${name}` : [])),
      ...Object.values(undici).map(Class => String(made(Class).code)),
      ...distrust,
      ...openssl,
      ...inProgram,
    ]),
  ]
}
