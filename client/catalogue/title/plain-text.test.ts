import { expect, test } from 'vitest'
import { heldFor, isHeldTooLong } from '#scripts/testing/event-loop.ts'
import { plainText } from './plain-text.ts'

test('tags are taken away and paragraphs stay apart', () => {
  expect(plainText('<p>One <b>bold</b> word.</p><p>Another<br/>line.</p>')).toBe(
    'One bold word.\n\nAnother\nline.',
  )
})

test('what only looks like a tag stays', () => {
  expect(plainText('I <3 this, 1 < 2 and 3 > 2')).toBe('I <3 this, 1 < 2 and 3 > 2')
})

test('entities become their characters, once', () => {
  expect(
    plainText('Tom &amp; Jerry &#8212; &#x201c;hi&#x201d; &amp;lt;b&amp;gt; &unknown; &constructor;'),
  ).toBe('Tom & Jerry — “hi” &lt;b&gt; &unknown; &constructor;')
})

test('tags and comments without an end are read in linear time', async () => {
  const work = async () => {
    for (const unit of ['<a ', '<!--', '<br/', '</p', '&a', '<a <!--']) plainText(unit.repeat(50_000))
  }
  expect(await isHeldTooLong(await heldFor(work), work)).toBe(false)
})
