import { expect, test } from 'vitest'
import { aServer, aTitle } from '#server/testing.ts'

const { db, as } = await aServer()

// prettier-ignore
const names = [
  'M', 'Mad Max', 'Moon', 'M*A*S*H', 'Mashed', 'Dark', 'Dark City', 'The Dark Knight', 'Darkness',
  'Spider-Man: Far from Here', 'The Amazing Spider-Man', 'Pac-Man', 'Half-Life 2', 'Halflings', 'StarCraft',
  'StarCraft: Brood War', 'Star Crafting', 'RollerCoaster Tycoon', 'E.T. the Visitor', 'Eternal Youth', 'Ethan Frome',
  'L.A. Confidential', 'Labyrinth', 'Pan’s Labyrinth', 'Rock & Rule', 'Street Fighter II', 'Street Fighter',
  'Slaughterhouse-Five', 'Slaughterhouse', 'Işık Yolu', 'Þór', '千と千尋の神隠し', '神々の山嶺', '$', '…', '8½',
]
for (const name of names) await aTitle(db, 'movie', name)

// Each name has others beside it that a search by words alone would prefer, or find alone.
test.each([
  ['m', 'M'],
  ['dark', 'Dark'],
  ['spiderman', 'Spider-Man: Far from Here'],
  ['pacman', 'Pac-Man'],
  ['amazing spiderman', 'The Amazing Spider-Man'],
  ['halflife', 'Half-Life 2'],
  ['star craft', 'StarCraft'],
  ['roller coaster tycoon', 'RollerCoaster Tycoon'],
  ['brood war starcraft', 'StarCraft: Brood War'],
  ['et', 'E.T. the Visitor'],
  ['mash', 'M*A*S*H'],
  ['la confidential', 'L.A. Confidential'],
  ['rock and rule', 'Rock & Rule'],
  ['rock & rule', 'Rock & Rule'],
  ['street fighter 2', 'Street Fighter II'],
  ['street fighter two', 'Street Fighter II'],
  ['slaughterhouse 5', 'Slaughterhouse-Five'],
  ['fighter 2', 'Street Fighter II'],
  ['pan‘s labyrinth', 'Pan’s Labyrinth'],
  ['pan´s labyrinth', 'Pan’s Labyrinth'],
  ['pan`s labyrinth', 'Pan’s Labyrinth'],
  ['pans labyrinth', 'Pan’s Labyrinth'],
  ['isik yolu', 'Işık Yolu'],
  ['IŞIK', 'Işık Yolu'],
  ['thor', 'Þór'],
  ['神隠し', '千と千尋の神隠し'],
  ['千尋', '千と千尋の神隠し'],
  ['$', '$'],
  ['…', '…'],
  ['8½', '8½'],
])('%s finds %s first', async (q, name) => {
  const { results } = await as().items.search({ q, limit: 5 })
  expect(results[0]?.name).toBe(name)
})
