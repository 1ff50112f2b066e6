import { expect, test } from 'vitest'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { plainText } from './plain-text.ts'

test('tags are stripped and paragraphs stay separate', () => {
  expect(plainText('<p>One <b>bold</b> word.</p><p>Another<br/>line.</p>')).toBe(
    'One bold word.\n\nAnother\nline.',
  )
})

test('text that only looks like a tag stays', () => {
  expect(plainText('I <3 this, 1 < 2 and 3 > 2')).toBe('I <3 this, 1 < 2 and 3 > 2')
})

test('entities are decoded once', () => {
  expect(
    plainText('Tom &amp; Jerry &#8212; &#x201c;hi&#x201d; &amp;lt;b&amp;gt; &unknown; &constructor;'),
  ).toBe('Tom & Jerry — “hi” &lt;b&gt; &unknown; &constructor;')
})

test('unclosed tags and comments are parsed in linear time', async () => {
  const work = async () => {
    for (const unit of ['<a ', '<!--', '<br/', '</p', '&a', '<a <!--']) plainText(unit.repeat(50_000))
  }
  expect(await isBlockedTooLong(await blockedMs(work), work)).toBe(false)
})
