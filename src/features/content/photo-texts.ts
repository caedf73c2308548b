import { defineTexts } from '#src/lib/language/texts.ts'

export const photoTexts = defineTexts({
  fr: {
    photo: 'Photo',
    choosePhoto: 'Choisir une photo',
    changePhoto: 'Changer la photo',
    removePhoto: 'Supprimer la photo',
    photoHint: 'jpg, jpeg, png, avif · 8 Mo. Vous pouvez aussi la déposer ici.',
    photoNew: 'Nouvelle photo : {name}',
    photoLost: 'La photo {name} est trop volumineuse pour être conservée dans l’onglet. Choisissez-la de nouveau.',
    photoPreview: 'Aperçu de la photo',
    wrongType: 'Ce fichier n’est pas une photo jpg, jpeg, png ou avif. Choisissez-en un autre.',
    tooLarge: 'Cette photo dépasse 8 Mo. Choisissez-en une plus petite.',
    unreadable: 'Cette photo est illisible ou endommagée. Choisissez-en une autre.',
  },
  en: {
    photo: 'Photo',
    choosePhoto: 'Choose a photo',
    changePhoto: 'Change the photo',
    removePhoto: 'Remove photo',
    photoHint: 'jpg, jpeg, png, avif · 8 MB. You can also drop it here.',
    photoNew: 'New photo: {name}',
    photoLost: 'The photo {name} is too large to be kept in this tab. Choose it again.',
    photoPreview: 'Preview of the photo',
    wrongType: 'This file is not a jpg, jpeg, png or avif photo. Choose another one.',
    tooLarge: 'This photo is over 8 MB. Choose a smaller one.',
    unreadable: 'This photo is unreadable or damaged. Choose another one.',
  },
})
