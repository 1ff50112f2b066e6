import { escaped } from '#server/text/escape.ts'
import { accentCss } from '#shared/domain/accent.ts'
import type { Site } from '#shared/contracts/site.ts'

/**
 * Adds the name, the icon, the accent and, as JSON, the settings. The style is an attribute and the JSON is no script, so the content
 * security policy need not allow them. A script hides a closed announcement before the first paint.
 */
export function withSite(html: string, site: Site): string {
  if (site.version === 0 && !site.hasOffers) return html
  const json = JSON.stringify(site).replaceAll('<', String.raw`\u003c`)
  // A replacement string would interpret `$&`.
  const announced =
    site.announcement === null ? '' : ` data-announcement="${escaped(site.announcement.text)}"`
  return withAttributes(withIcon(html, site.iconUrl), accentStyle(site.accent) + announced)
    .replace('<title>Medley</title>', () => `<title>${escaped(site.name)}</title>`)
    .replace(
      '</head>',
      (tag) => `<script type="application/json" id="site">${json}</script>${announced && hideClosed}${tag}`,
    )
}

/** client/routes/-shell/announcement.tsx stores it. */
const hideClosed =
  "<script>try{const{dataset}=document.documentElement;if(localStorage['closed announcement']===dataset.announcement)dataset.closed=''}catch{}</script>"

export function withAttributes(html: string, attributes: string): string {
  return html.replace(/<html lang="[\w-]+"/, (tag) => tag + attributes)
}

/** Changes nothing if the site has the icon of Medley. */
export function withIcon(html: string, iconUrl: string | null): string {
  if (iconUrl === null) return html
  return html.replace(
    /<link [^>]*rel="icon"[^>]*>/,
    () => `<link rel="icon" type="image/webp" href="${escaped(iconUrl)}">`,
  )
}

export function accentStyle(accent: number | null): string {
  return accent === null ? '' : ` style="--color-accent:${accentCss(accent)}"`
}
