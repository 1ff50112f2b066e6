import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Given = {
  challenge: string
  origin: string
  rpId: string
  /** Whether the device has verified its user. */
  isVerified?: boolean
  type?: string
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const encoded = (data: Buffer) => data.toString('base64url')

/** A device with one passkey, which signs as a real one does, with what a test gives. */
export function anAuthenticator(userHandle: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const device = { counter: 1, isDiscoverable: true, id: encoded(credentialId) }

  const clientData = (type: string, { challenge, origin }: Given) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = ({ rpId, isVerified = true }: Given, attested?: Buffer) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
  const ofBrowser = { id: device.id, rawId: device.id, type: 'public-key' as const }

  return {
    device,
    /** As `navigator.credentials.create()`: an attestation of the format `none`, in CBOR. */
    create(given: Given) {
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      const point = (value: string) =>
        Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
      const cose = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        point(x),
        Buffer.from([0x22]),
        point(y),
      ])
      const data = authData(
        given,
        Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose]),
      )
      const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return {
        ...ofBrowser,
        response: {
          clientDataJSON: encoded(clientData(given.type ?? 'webauthn.create', given)),
          attestationObject: encoded(attestationObject),
          transports: ['internal'],
        },
        clientExtensionResults: { credProps: { rk: device.isDiscoverable } },
      }
    },
    /** As `navigator.credentials.get()`. Each use increases the counter. */
    get(given: Given) {
      device.counter++
      const client = clientData(given.type ?? 'webauthn.get', given)
      const data = authData(given)
      return {
        ...ofBrowser,
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(data),
          signature: encoded(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}
