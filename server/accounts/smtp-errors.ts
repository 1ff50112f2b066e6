type SmtpError = { code?: unknown; responseCode?: unknown; command?: unknown; message?: unknown }

const encoded =
  'Check the user and the password; in SMTP_URL, special characters of both are percent-encoded (@ as %40, # as %23)'
const addresses = 'Check the host and the port of SMTP_URL'

/** Contains only the code of the server’s response: the rest may contain addresses of members. */
export function explainSmtpError(error: unknown): string {
  const { code, responseCode, command, message } = error as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : undefined
  const withStatus = status === undefined ? '' : ` (${status})`
  const at = String(command ?? '')
  const text = `${String(code)} ${String(message)}`
  if (at === 'STARTTLS' && status !== undefined)
    return `It offers encryption (STARTTLS) and then refuses it${withStatus}. Ask its operator; in a network that you trust, ?ignoreTLS=true at the end of SMTP_URL does without`
  if (/certificate|self.signed|altname|CERT_|unable to verify/i.test(text))
    return 'Its certificate is not valid for this host. Check the host of SMTP_URL; for a server of your own, ?tls.servername=… names the host of its certificate, and NODE_EXTRA_CA_CERTS a file with its authority'
  if (
    /wrong version number|packet length too long|unexpected eof|ssl.*(alert|routines)|tls/i.test(text) ||
    code === 'ETLS'
  )
    return 'The encrypted connection failed. Use smtps:// for a port that is encrypted from the start (465), and smtp:// for others (587, 25)'
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL/.test(text))
    return `The host was not found. ${addresses}`
  if (/ECONNREFUSED/.test(text))
    return `The connection was refused: nothing listens there, or a firewall is between. ${addresses}`
  if (/EHOSTUNREACH|ENETUNREACH/.test(text))
    return `The host cannot be reached from this machine. ${addresses}`
  if (/greeting/i.test(text) && code === 'ETIMEDOUT')
    return 'It accepts the connection and says nothing. Use smtps:// for a port that is encrypted from the start (465), and smtp:// for others (587, 25)'
  if (code === 'ETIMEDOUT' || code === 'EABORT' || code === 'ABORT_ERR' || code === 'TimeoutError')
    return `It did not respond in time. ${addresses}; many hosters block port 25`
  if (code === 'EAUTH' || at.startsWith('AUTH')) return explainLogin(status, withStatus)
  if (status === 530)
    return `It requires a login or encryption first${withStatus}. Add user and password to SMTP_URL`
  if (at === 'MAIL FROM' || /invalid sender/i.test(text))
    return `It refuses the sender${withStatus}. Check MAIL_FROM`
  if (at === 'RCPT TO') return `It refuses the recipient${withStatus}`
  if (at === 'DATA') return `It refuses the email${withStatus}`
  if (status !== undefined) return `It refuses the connection${withStatus}. Ask its operator`
  if (code === 'ECONNECTION' || /ECONNRESET|EPIPE/.test(text)) return `It closed the connection. ${addresses}`
  if (code === 'EPROTOCOL') return `What responds is no mail server. ${addresses}`
  return `The connection failed. ${addresses}`
}

function explainLogin(status: number | undefined, withStatus: string): string {
  if (status === undefined)
    return 'The login failed before the password was checked. Add user and password to SMTP_URL, or ?authMethod=PLAIN'
  if (status < 500) return `It cannot check the login at the moment${withStatus}. Try again later`
  if (status === 535 || status === 534 || status === 530)
    return `It refuses the login${withStatus}. ${encoded}`
  if (status === 538)
    return `It allows the login on an encrypted connection only${withStatus}. Use smtps://, or ?requireTLS=true`
  return `It does not allow this way to log in${withStatus}. ${encoded}`
}
