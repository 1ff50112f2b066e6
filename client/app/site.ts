import { useRouter } from '@tanstack/react-router'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite } from '#shared/domain/site-defaults.ts'

/** The defaults if the server has put no settings into the page. */
export function readSite(): Site {
  const json = document.getElementById('site')?.textContent
  return json ? (JSON.parse(json) as Site) : defaultSite
}

export function useSite(): Site {
  return useRouter().options.context.site
}
