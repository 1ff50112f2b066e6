/** Of other programs of this kind. The first that matches counts. */
const peers: [names: RegExp, ours: string][] = [
  [
    /^(METRICS|(METRICS|PROMETHEUS)_(ENABLED?|PORT|ADDR(ESS)?|LISTEN|BIND|PATH|URL)|PROMETHEUS)$/,
    'METRICS_PORT',
  ],
  [
    /^((SMTP|E?MAIL|MAILER|NODEMAILER)_(DEFAULT_)?(FROM|SENDER|REPLY_?TO)(_\w+)?|(DEFAULT_)?FROM_(E?MAIL|ADDRESS)|NOREPLY_(E?MAIL|ADDRESS))$/,
    'MAIL_FROM',
  ],
  [/^(SMTP|E?MAIL|MAILER|NODEMAILER)_\w+$/, 'SMTP_URL'],
  [/^(DB|DATABASE|SQLITE3?)_(PATH|FILE(NAME)?|DIR|FOLDER)$/, 'DATA_DIR'],
  [/^((DATA|STORAGE|UPLOADS?|MEDIA|FILES?)_(DIR(ECTORY)?|PATH|FOLDER|ROOT|LOCATION)|DATADIR)$/, 'DATA_DIR'],
  [
    /^((DB|DATABASE)_\w+|(POSTGRES|POSTGRESQL|PG|PSQL)_(URL|URI|DSN|HOST(NAME)?|SERVER|PORT|NAME|DATABASE|DATABASE_URL)|DSN)$/,
    'DATABASE_URL',
  ],
  [
    /^((BASE|SITE|APP|APPLICATION|ROOT|SERVER|EXTERNAL|INSTANCE|FRONTEND|WEB|CANONICAL|HOST|PUBLIC|NEXT_PUBLIC|MEDLEY)_?(URL|URI|ORIGIN)|(PUBLIC|SITE|APP|LOCAL|WEB|SERVER|MEDLEY)_(HOST(NAME)?|DOMAIN|ADDRESS|BASE_URL)|DOMAIN(_NAME)?|ORIGIN)$/,
    'PUBLIC_URL',
  ],
  [/^((LISTEN|BIND|SERVER|APP|HTTP|WEB)_(HOST|ADDR(ESS)?|IP)|LISTEN|BIND|ADDRESS)$/, 'HOST'],
  [/^(LISTEN|BIND|SERVER|APP|HTTP|WEB|MEDLEY)_PORT$/, 'PORT'],
  [
    /^((TRUST(ED)?|REVERSE)_PROX(Y|IES)\w*|PROXY_TRUSTED\w*|FORWARDED_ALLOW_IPS|USE_X_FORWARDED\w*|REAL_IP_\w+)$/,
    'TRUST_PROXY',
  ],
  [/^(WEB_CONCURRENCY|(NUM_|WEB_|CLUSTER_)?WORKERS?(_COUNT|_NUM|_PROCESSES)?)$/, 'WORKERS'],
  [/^((DISABLE_|ENABLE_)?RATE_?LIMIT\w*)$/, 'RATE_LIMITS'],
  [/^(LOGLEVEL|LOGGING_LEVEL|LOG_VERBOSITY|(APP|SERVER)_LOG_LEVEL)$/, 'LOG_LEVEL'],
  [/^(APP_ENV|ENVIRONMENT|SERVER_ENV)$/, 'NODE_ENV'],
  [/^((ENABLE_|DISABLE_|WITH_)DEMO|DEMO_\w+)$/, 'DEMO'],
  [/^(THE_?MOVIE_?DB|MOVIEDB|TMDB)_\w*(KEY|TOKEN|SECRET|BEARER)\w*$/, 'TMDB_TOKEN'],
  [/^(THE_?MOVIE_?DB|MOVIEDB|TMDB)_\w+$/, 'TMDB_API_URL'],
  [/^(IGDB|TWITCH)_\w*(SECRET|TOKEN)\w*$/, 'IGDB_CLIENT_SECRET'],
  [/^(IGDB|TWITCH)_\w*(ID|KEY)$/, 'IGDB_CLIENT_ID'],
  [/^IGDB_\w+$/, 'IGDB_API_URL'],
  [/^OPEN_?LIBRARY_\w+$/, 'OPEN_LIBRARY_URL'],
  [/^TV_?MAZE_\w+$/, 'TVMAZE_URL'],
  [/^(S3|AWS_S3|MINIO)_\w*SECRET\w*$/, 'S3_SECRET_ACCESS_KEY'],
  [/^(S3|AWS_S3|MINIO)_\w*(ACCESS|KEY|USER)\w*$/, 'S3_ACCESS_KEY_ID'],
  [/^((S3|AWS|AWS_S3|AWS_STORAGE|MINIO)_BUCKET(_NAME)?)$/, 'S3_BUCKET'],
  [/^((S3|AWS_S3|MINIO)_REGION\w*)$/, 'S3_REGION'],
  [/^(S3|AWS_S3)_\w+$/, 'S3_ENDPOINT'],
  [/^CACHE_(SIZE|MAX|MEMORY|LIMIT|MEGABYTES)\w*$/, 'CACHE_MB'],
  [/^(DISK|MIN_FREE|FREE)_(SPACE|RESERVE|DISK)\w*$/, 'DISK_RESERVE_MB'],
  [/^WEBHOOKS?_\w+$/, 'WEBHOOK_PRIVATE_ADDRESSES'],
  [/^METRICS_\w+$/, 'METRICS_HOST'],
]

/** Settings of proxies in small letters and for other protocols, of MinIO’s own server, and of this program’s launcher. */
const ofOthers =
  /^((https?|no|ftp|all|rsync)_proxy|(FTP|ALL|RSYNC)_PROXY|MINIO_ROOT_\w+|MEDLEY_LAUNCHER|MAIL|DATABASE)$/
/** Docker’s links and Kubernetes describe a service with the name `smtp` or `medley` by variables such as SMTP_PORT=tcp://10.0.0.1:25. */
const ofContainers = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?)$/

/** Vite gives programs that it starts the base path of their URLs. */
const isOfVite = (name: string, value: string) => name === 'BASE_URL' && value.startsWith('/')

/** Undefined if the variable looks like one of another program. */
export function intendedName(name: string, value: string, known: readonly string[]): string | undefined {
  if (
    ofOthers.test(name) ||
    ofContainers.test(name) ||
    /^(tcp|udp):\/\//.test(value) ||
    isOfVite(name, value)
  )
    return undefined
  const own = name.replace(/^MEDLEY_/i, '')
  if (own !== name && known.includes(own.toUpperCase())) return own.toUpperCase()
  return (
    known.find((one) => areSimilar(name, one)) ??
    peers.find(([names]) => names.test(name) || names.test(own))?.[1] ??
    (own === name ? undefined : known.toSorted((a, b) => distance(own, a) - distance(own, b))[0])
  )
}

/** Equal but for case and underscores, or one letter; long ones (9 or more letters) but for two. */
function areSimilar(name: string, known: string): boolean {
  const letters = known.replaceAll('_', '').length
  return distance(name, known) <= (letters < 5 ? 0 : letters < 9 ? 1 : 2)
}

/** Levenshtein’s, without regard to case and underscores. */
function distance(name: string, known: string): number {
  const [a, b] = [name, known].map((text) => text.toUpperCase().replaceAll('_', '').slice(0, 40)) as [
    string,
    string,
  ]
  let distances = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++)
    distances = distances.reduce<number[]>((next, above, column) => {
      const replaced = distances[column - 1]! + Number(a[row - 1] !== b[column - 1])
      return [...next, column === 0 ? row : Math.min(replaced, above + 1, next[column - 1]! + 1)]
    }, [])
  return distances.at(-1)!
}
