import { z } from 'zod'
import { subscriptionsMax } from '#shared/domain/limits.ts'
import { offerTypes } from '#shared/domain/offers.ts'
import { messages } from '#shared/texts/messages.ts'
import { id, image } from './scalars.ts'

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, messages.countryInvalid)
  .meta({ maxLength: 2, description: 'An ISO 3166-1 code of two letters.', example: 'DE' })

const service = z
  .object({
    id: id.meta({ description: 'The id at TMDB.', example: 8 }),
    name: z.string().meta({ example: 'Example Stream' }),
    imageUrl: image,
  })
  .meta({ id: 'StreamingService' })

const offer = z
  .object({
    type: z.enum(offerTypes).meta({
      description:
        '`stream` is part of a subscription, `free` costs nothing, `ads` is free with advertising.',
      example: 'stream',
    }),
    provider: service,
    isMine: z.boolean().meta({ description: 'Whether the caller has a subscription to it.', example: true }),
  })
  .meta({ id: 'Offer' })

export const getOffers = {
  input: z.object({ id, country: country.optional() }),
  output: z.object({
    isAvailable: z.boolean().meta({
      description:
        'False if the offers are not known: the site has no key of TMDB, TMDB does not know the title or does not answer, or there is no country. True with no offers if no service has the title.',
      example: true,
    }),
    country: country.nullable(),
    link: z.string().nullable().meta({
      description: 'The page of TMDB that leads to the offers.',
      example: 'https://www.themoviedb.org/movie/603-the-matrix/watch?locale=DE',
    }),
    offers: z.array(offer),
  }),
}
export type TitleOffers = z.infer<typeof getOffers.output>

const fields = {
  country: country.nullable(),
  subscriptions: z
    .array(id)
    .max(subscriptionsMax)
    .meta({ description: 'Ids of streaming services.', example: [8, 337] }),
}
export const watchSettings = z.object(fields)
export type WatchSettings = z.infer<typeof watchSettings>

export const getSettings = { output: watchSettings }
export const changeSettings = { input: z.object(fields).partial(), output: watchSettings }

export const listServices = {
  input: z.object({ country: country.optional() }),
  output: z.object({
    country: country.nullable(),
    services: z.array(service).meta({ description: 'The best known of the country first.' }),
  }),
}
