import { useRouter } from '@tanstack/react-router'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite } from '#shared/domain/site-defaults.ts'

/** Returns the settings of the site that the server has put into the page; the defaults if it has put none. */
export function readSite(): Site {
  const json = document.getElementById('site')?.textContent
  return json ? (JSON.parse(json) as Site) : defaultSite
}

/** The settings of the site when the page was loaded. */
export function useSite(): Site {
  return useRouter().options.context.site
}
